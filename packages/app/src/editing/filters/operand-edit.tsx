// The value of a condition, in the form that its operator takes: one, two, several, a span of time, none.

import { ActionIcon, Button, Stack } from '@mantine/core';
import { type Field, LIMITS } from '@workspace-records/client';
import { useId, useState } from 'react';
import {
  type AnyFieldEdit,
  type Editing,
  type Parsed,
  parseEdited,
} from '../../fields/field-edit.ts';
import type { FieldFilter, Phrase } from '../../fields/field-filter.ts';
import { PeriodEdit } from '../../fields/period-edit.tsx';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './filters.module.css';

interface OperandProps {
  readonly field: Field;
  readonly filter: FieldFilter;
  readonly phrase: Phrase;
  /** The value that there is; undefined: none yet. */
  readonly start: unknown;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (parsed: Parsed) => void;
}

const MISSING: Parsed = { problem: 'filter.needsValue' };
export function OperandEdit(props: OperandProps) {
  const { filter, phrase, field, start, onChange } = props;
  const id = useId();
  const t = useT();
  if (phrase.takes === 'nothing') return null;
  if (phrase.takes === 'period') return <PeriodEdit {...props} id={id} />;
  if (filter.Choose !== undefined) {
    const isMany = phrase.takes === 'list';
    return <Chosen {...{ field, filter, start, isMany, onChange }} label={t('filter.value')} />;
  }
  return filter.edit === undefined ? null : <Typed {...props} edit={filter.edit} />;
}

interface ChosenProps extends Pick<OperandProps, 'field' | 'filter' | 'start' | 'onChange'> {
  readonly isMany: boolean;
  readonly label: string;
}

function Chosen({ field, filter: { Choose }, start, isMany, label, onChange }: ChosenProps) {
  const [values, setValues] = useState<readonly unknown[]>(() => listOf(start));
  const change = (next: readonly unknown[]) => {
    setValues(next);
    const value = isMany ? next : next[0];
    onChange(next.length === 0 ? MISSING : { value });
  };
  return Choose === undefined ? null : (
    <Choose {...{ field, values, isMany, label }} onChange={change} />
  );
}

function listOf(start: unknown): readonly unknown[] {
  return start === undefined ? [] : Array.isArray(start) ? start : [start];
}

/** One input for each operand of the operator; a list of operands has a button to remove each. */
function Typed(props: OperandProps & { readonly edit: AnyFieldEdit }) {
  const { field, phrase, edit, start, isInvalid, describedBy, onChange } = props;
  const t = useT();
  const language = useLanguage();
  const least = phrase.takes === 'two' ? 2 : 1;
  const begin = (began: unknown): Editing => ({ began, draft: edit.start(began, language) });
  const [drafts, setDrafts] = useState<readonly Editing[]>(() => {
    const values = listOf(start).slice(0, phrase.takes === 'list' ? undefined : least);
    const missing = Array.from({ length: Math.max(0, least - values.length) }, () => null);
    return [...values, ...missing].map(begin);
  });
  const change = (next: readonly Editing[]) => {
    setDrafts(next);
    onChange(
      parsedOf(
        next.map((one) => parseEdited(edit, one, language)),
        phrase,
      ),
    );
  };
  const names =
    least === 2 ? [t('filter.from'), t('filter.to')] : drafts.map(() => t('filter.value'));
  return (
    <Stack gap="sm">
      {drafts.map(({ draft, began }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drafts have nothing else that names them.
        <Draft key={index} name={names[index] ?? ''} onRemove={removal(index)}>
          {(id) => (
            <edit.Edit
              {...{ id, draft, field, isInvalid, describedBy }}
              onChange={(next: unknown) => change(drafts.with(index, { draft: next, began }))}
            />
          )}
        </Draft>
      ))}
      {phrase.takes === 'list' && (
        <Button
          variant="subtle"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => setDrafts([...drafts, begin(null)])}
        >
          {t('filter.anotherValue')}
        </Button>
      )}
    </Stack>
  );

  function removal(index: number) {
    if (phrase.takes !== 'list' || drafts.length < 2) return undefined;
    return () => change(drafts.filter((_, other) => other !== index));
  }
}

interface DraftProps {
  readonly name: string;
  readonly onRemove: (() => void) | undefined;
  readonly children: (id: string) => React.ReactNode;
}

function Draft({ name, onRemove, children }: DraftProps) {
  const t = useT();
  const id = useId();
  return (
    <div className={classes.operand}>
      <label htmlFor={id} className={classes.operandName}>
        {name}
      </label>
      <div className={classes.operandEdit}>{children(id)}</div>
      {onRemove !== undefined && (
        <ActionIcon aria-label={t('filter.removeValue')} onClick={onRemove}>
          <Icon name="close" size={12} />
        </ActionIcon>
      )}
    </div>
  );
}

function parsedOf(parsed: readonly Parsed[], phrase: Phrase): Parsed {
  const wrong = parsed.find((one) => 'problem' in one);
  if (wrong !== undefined) return wrong;
  const all = parsed.map((one) => ('value' in one ? one.value : null));
  // Empty inputs of a list are left out.
  const values = phrase.takes === 'list' ? all.filter((value) => value !== null) : all;
  if (values.length === 0 || values.includes(null)) return MISSING;
  const [first] = values;
  if (phrase.isPart === true && [...String(first)].length < LIMITS.matchedTextMinimum) {
    return { problem: 'filter.threeLetters' };
  }
  return { value: phrase.takes === 'one' ? first : values };
}
