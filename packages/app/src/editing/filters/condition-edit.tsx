// A condition: the field, found by typing, the operator in words, and the value.

import { NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import type { Parsed } from '../../fields/field-edit.ts';
import {
  type FieldFilter,
  type Phrase,
  phraseOf,
  valueOfPhrase,
} from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import { FIRST_PERIOD } from '../../fields/period-edit.tsx';
import { useT } from '../../lib/messages/index.ts';
import { rangeOf } from '../../lib/periods.ts';
import type { Condition } from '../../lib/where.ts';
import { SelectWithin } from '../../ui/select-within.tsx';
import type { FilterField } from './filter-fields.ts';
import classes from './filters.module.css';
import { OperandEdit } from './operand-edit.tsx';

/** A condition that is being made. */
export interface ConditionDraft {
  readonly id: number;
  readonly path: string | null;
  readonly phrase: Phrase | undefined;
  /** The initial value of the editor. */
  readonly start: unknown;
  readonly parsed: Parsed;
}

export type IsPossible = (field: FilterField, phrase: Phrase) => boolean;

const MISSING: Parsed = { problem: 'filter.needsValue' };

export function draftOf(
  id: number,
  fields: readonly FilterField[],
  of?: Condition,
): ConditionDraft {
  const found = fields.find(({ path }) => path === of?.field);
  const filter = found === undefined ? undefined : filterOf(found.field);
  if (of === undefined || filter === undefined) {
    return { id, path: of?.field ?? null, phrase: undefined, start: undefined, parsed: MISSING };
  }
  const phrase = phraseOf(filter, of);
  return { id, path: of.field, phrase, start: of.value, parsed: { value: of.value } };
}

/** Undefined: it has no field yet, or no value that means something. */
export function conditionOf({ path, phrase, parsed }: ConditionDraft): Condition | undefined {
  if (path === null || phrase === undefined || 'problem' in parsed) return undefined;
  return { field: path, op: phrase.op, value: valueOfPhrase(phrase, parsed.value) };
}

interface ConditionEditProps {
  readonly draft: ConditionDraft;
  readonly fields: readonly FilterField[];
  readonly isPossible: IsPossible;
  /** True: missing parts are reported. */
  readonly isTried: boolean;
  readonly onChange: (draft: ConditionDraft) => void;
}

export function ConditionEdit(props: ConditionEditProps) {
  const { draft, fields, isTried, onChange } = props;
  const t = useT();
  const problemId = useId();
  const { path, phrase, start, parsed } = draft;
  const filterField = fields.find((one) => one.path === path);
  const filter = filterField === undefined ? undefined : filterOf(filterField.field);
  const problem = isTried && 'problem' in parsed ? parsed.problem : undefined;
  const root = useFocusOfNew(path);
  return (
    <div ref={root} className={classes.condition} data-new={path === null || undefined}>
      <FieldSelect {...props} />
      {filterField !== undefined && filter !== undefined && (
        <PhraseSelect {...props} found={filterField} filter={filter} />
      )}
      <Stack gap="sm" data-operand>
        {filterField !== undefined && filter !== undefined && phrase !== undefined && (
          <OperandEdit
            key={`${path} ${phrase.takes}`}
            {...{ filter, phrase, start }}
            field={filterField.field}
            isInvalid={problem !== undefined}
            describedBy={problem === undefined ? undefined : problemId}
            onChange={(next) => onChange({ ...draft, parsed: next })}
          />
        )}
      </Stack>
      {problem !== undefined && (
        <Text id={problemId} c="var(--red)" fz="xs" role="alert">
          {path === null ? t('filter.needsField') : t(problem)}
        </Text>
      )}
    </div>
  );
}

/** Moves the focus to the field of a new condition, and to the value once a field has been chosen. */
function useFocusOfNew(path: string | null) {
  const root = useRef<HTMLDivElement>(null);
  const known = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = path;
    if (before === path || (before === undefined && path !== null)) return undefined;
    const place = path === null ? 'input' : '[data-operand] :is(input, select)';
    // A list that opens while its ids are still being given would be tied to another one.
    const frame = requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>(place)?.focus({ preventScroll: path !== null }),
    );
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return root;
}

function FieldSelect({ draft, fields, isPossible, onChange }: ConditionEditProps) {
  const t = useT();
  const groups = [...new Set(fields.map(({ through }) => through))];
  const data = groups.map((through) => ({
    group: through ?? t('filter.ownFields'),
    items: fields
      .filter((one) => one.through === through)
      .map(({ path, label }) => ({ value: path, label })),
  }));
  return (
    <SelectWithin
      label={t('filter.field')}
      data={data}
      value={draft.path}
      allowDeselect={false}
      data-autofocus={draft.path === null || undefined}
      openOnFocus={draft.path === null}
      onChange={(path) => {
        const found = fields.find((one) => one.path === path);
        if (found !== undefined) onChange({ ...draft, ...beginningOf(found, isPossible), path });
      }}
    />
  );
}

interface PhraseSelectProps extends ConditionEditProps {
  readonly found: FilterField;
  readonly filter: FieldFilter;
}

function PhraseSelect({ draft, found, filter, isPossible, onChange }: PhraseSelectProps) {
  const t = useT();
  const { phrase, start, parsed } = draft;
  const data = filter.phrases.map((one) => {
    const disabled = !isPossible(found, one);
    const label = t(one.label);
    return { value: one.id, label: disabled ? t('filter.needsIndex', { label }) : label, disabled };
  });
  return (
    <NativeSelect
      size="sm"
      label={t('filter.operator')}
      data-autofocus
      data={data}
      value={phrase?.id ?? ''}
      onChange={({ currentTarget }) => {
        const next = filter.phrases.find(({ id }) => id === currentTarget.value);
        if (next === undefined) return;
        // The chosen or typed value stays where the next operator takes the same.
        const isKept = next.takes === phrase?.takes;
        const begun = isKept ? { start, parsed } : startOf(next);
        onChange({ ...draft, phrase: next, ...begun });
      }}
    />
  );
}

function beginningOf(found: FilterField, isPossible: IsPossible) {
  const phrases = filterOf(found.field)?.phrases ?? [];
  const phrase = phrases.find((one) => isPossible(found, one));
  return {
    phrase,
    ...(phrase === undefined ? { start: undefined, parsed: MISSING } : startOf(phrase)),
  };
}

function startOf({ takes }: Phrase): Pick<ConditionDraft, 'start' | 'parsed'> {
  if (takes === 'nothing') return { start: undefined, parsed: { value: true } };
  if (takes !== 'period') return { start: undefined, parsed: MISSING };
  const value = rangeOf(FIRST_PERIOD);
  return { start: value, parsed: { value } };
}
