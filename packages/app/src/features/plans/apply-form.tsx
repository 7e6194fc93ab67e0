// Applies a plan: names of what is lost are typed first.

import { Button, TextInput } from '@mantine/core';
import type { DefinitionPlan } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { lossesOf } from './plan-words.ts';
import classes from './plans.module.css';

interface ApplyFormProps {
  readonly plan: DefinitionPlan;
  /** True: conflicts are open. */
  readonly isBlocked: boolean;
  readonly isPending: boolean;
  readonly onApply: (allow: readonly string[]) => void;
  readonly onDrop: () => void;
}

export function ApplyForm({ plan, isBlocked, isPending, onApply, onDrop }: ApplyFormProps) {
  const t = useT();
  const { document, present } = useDefinition();
  const losses = lossesOf(plan, { documents: [document, present.document], t });
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isTyped = losses.every(({ name }) => typed[name]?.trim() === name);
  const isReady = plan.plan_id !== null && !isBlocked && isTyped;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onApply(losses.map(({ name }) => name));
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      {plan.plan_id !== null && losses.length > 0 && (
        <fieldset className={classes.losses}>
          <legend>{t('plan.lossTitle')}</legend>
          <p>{t('plan.lossText')}</p>
          {losses.map(({ name, text }) => (
            <TextInput
              key={name}
              label={t('plan.typeName', { name })}
              description={text}
              autoComplete="off"
              spellCheck={false}
              value={typed[name] ?? ''}
              onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [name]: value })}
            />
          ))}
        </fieldset>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDrop}>
          {t('plan.dropAll')}
        </Button>
        <Button
          type="submit"
          color={losses.length > 0 ? 'red' : 'accent'}
          disabled={!isReady}
          loading={isPending}
        >
          {t('plan.apply')}
        </Button>
      </div>
    </form>
  );
}
