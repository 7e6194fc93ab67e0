// The settings of a formula: its expression, which the service checks as it is typed, and the form of its result.

import { Button, Group, NativeSelect, Textarea } from '@mantine/core';
import type { FieldType } from '@workspace-records/client';
import { useRef } from 'react';
import { RESULT_TYPES } from '../../fields/entry-kind.ts';
import { kindOf } from '../../fields/kinds.ts';
import { nameAt } from '../../lib/definition/changes.ts';
import type { FieldEntry, ObjectEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import type { PlanProblem } from '../../lib/definition/plan.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { messageText, type ServiceMessage, useT } from '../../lib/messages/index.ts';
import type { FieldPartProps } from './field-form.tsx';
import { hasSetting, withType } from './field-kinds.ts';
import { CurrencyField, NumberInput, orNothing } from './field-settings.tsx';
import classes from './model.module.css';
import { presentCurrency } from './new-field.ts';

const MOST_CHARACTERS = 1000;

export interface FormulaSettingsProps extends FieldPartProps {
  readonly fieldKey: string;
  /** Undefined: the service accepts the formula, or has not judged it yet. */
  readonly formulaProblem: PlanProblem | undefined;
}

export function FormulaSettings(props: FormulaSettingsProps) {
  const { field, set } = props;
  const t = useT();
  const { document } = useDefinition();
  const { result_type: result = 'number' } = field;
  return (
    <>
      <Expression {...props} />
      <NativeSelect
        label={t('formula.result')}
        data={RESULT_TYPES.map((value) => ({ value, label: t(kindOf({ type: value }).name) }))}
        value={result}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as FieldType;
          const { currency } = withType(
            { ...field, type: result },
            next,
            presentCurrency(document),
          );
          const scale = factsOf({ type: next }).words.includes('scale') ? field.scale : undefined;
          set({
            ...orNothing('currency', currency),
            ...orNothing('scale', scale),
            result_type: next,
          });
        }}
      />
      {hasSetting(field, 'money') && <CurrencyField {...props} />}
      {hasSetting(field, 'scale') && (
        <NumberInput
          label={t('fields.scale')}
          value={field.scale}
          most={15}
          onChange={(scale) => set(orNothing('scale', scale))}
        />
      )}
    </>
  );
}

/** The part of the expression before a problem is shown with it. */
function Expression(props: FormulaSettingsProps) {
  const { type, field, set, problems, fieldKey, formulaProblem: problem } = props;
  const t = useT();
  const input = useRef<HTMLTextAreaElement>(null);
  const { expression = '' } = field;
  const at = Number(problem?.params?.at);
  return (
    <>
      <Textarea
        ref={input}
        label={t('formula.expression')}
        description={t('formula.expressionText')}
        rows={3}
        maxLength={MOST_CHARACTERS}
        spellCheck={false}
        autoCapitalize="none"
        value={expression}
        error={problems.get('expression') ?? (problem && formulaText(problem))}
        onChange={({ currentTarget }) => set({ expression: currentTarget.value })}
      />
      {at > 0 && (
        <code className={classes.expression}>
          {expression.slice(0, at - 1)}
          <mark>{expression.slice(at - 1)}</mark>
        </code>
      )}
      <FieldButtons
        {...{ type, fieldKey }}
        onInsert={(key) => set({ expression: withInserted(input.current, key) })}
      />
      <details className={classes.more}>
        <summary>{t('formula.functionsTitle')}</summary>
        <p className={classes.hint}>{t('formula.functions')}</p>
      </details>
    </>
  );
}

/** The mark below the input shows where the problem is. */
function formulaText(problem: PlanProblem): string {
  return messageText((problem.params?.problem as ServiceMessage | undefined) ?? problem);
}

interface FieldButtonsProps extends Pick<FormulaSettingsProps, 'type' | 'fieldKey'> {
  readonly onInsert: (key: string) => void;
}

/** The other fields of the object by their names; a button inserts the key. */
function FieldButtons({ type, fieldKey, onInsert }: FieldButtonsProps) {
  const t = useT();
  const { document } = useDefinition();
  const { fields } = document.objects[type] as ObjectEntry;
  const keys = Object.keys(fields).filter((key) => key !== fieldKey && isRead(fields[key]));
  return (
    <Group gap={4} role="group" aria-label={t('formula.fields')}>
      {keys.map((key) => (
        <Button key={key} variant="default" size="compact-xs" onClick={() => onInsert(key)}>
          {nameAt([document], ['objects', type, 'fields', key])}
        </Button>
      ))}
    </Group>
  );
}

/** False for fields that refer to records or people, and for lists: formulas do not read them. */
function isRead(field: FieldEntry | undefined): boolean {
  const { refers_to, list } = factsOf({ type: field?.type ?? '' });
  return refers_to === null && !list;
}

/** The text of the input with the key at the caret, which goes behind it. */
function withInserted(input: HTMLTextAreaElement | null, key: string): string {
  if (input === null) return key;
  input.setRangeText(key, input.selectionStart, input.selectionEnd, 'end');
  input.focus();
  return input.value;
}
