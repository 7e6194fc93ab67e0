// A condition on one field of a record itself, of a gate or of a rollup: the field, the operator and the value.

import { NativeSelect } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import type { Parsed } from '../../fields/field-edit.ts';
import {
  type FieldFilter,
  type Phrase,
  phraseOf,
  valueOfPhrase,
} from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import type { GateCondition } from '../../lib/definition/document.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Operator } from '../../lib/where.ts';
import classes from './filters.module.css';
import { OperandEdit } from './operand-edit.tsx';

/** Undefined: there are no conditions about such fields. */
export function gateFilterOf(field: Pick<Field, 'type'>): FieldFilter | undefined {
  const filter = filterOf(field);
  const { gate_operators } = factsOf(field);
  if (filter === undefined || gate_operators.length === 0) return undefined;
  const isJudged = ({ op, takes }: Phrase) => takes !== 'period' && gate_operators.includes(op);
  return { ...filter, phrases: filter.phrases.filter(isJudged) };
}

interface OneConditionProps {
  readonly when: GateCondition | undefined;
  readonly onChange: (when: GateCondition | undefined) => void;
}

interface OwnConditionProps extends OneConditionProps {
  readonly fields: readonly Field[];
  readonly label: string;
  readonly description?: string;
  /** The choice of no condition. */
  readonly none: string;
}

/** A new condition is in the draft as soon as it has a value. */
export function OwnCondition({ fields, when, onChange, none, ...words }: OwnConditionProps) {
  const [key, setKey] = useState(when?.field ?? '');
  const field = fields.find((one) => one.key === key);
  if (fields.length === 0) return null;
  return (
    <>
      <NativeSelect
        {...words}
        data={[
          { value: '', label: none },
          ...fields.map((one) => ({ value: one.key, label: one.name ?? one.key })),
        ]}
        value={key}
        onChange={({ currentTarget: { value } }) => {
          setKey(value);
          onChange(undefined);
        }}
      />
      {field !== undefined && (
        <OneCondition key={key} field={field} when={when} onChange={onChange} />
      )}
    </>
  );
}

function OneCondition({ field, when, onChange }: OneConditionProps & { readonly field: Field }) {
  const t = useT();
  const filter = gateFilterOf(field);
  const known = filter && when && phraseOf(filter, { op: when.op as Operator, value: when.value });
  const [phrase, setPhrase] = useState<Phrase | undefined>(known ?? filter?.phrases[0]);
  if (filter === undefined || phrase === undefined) return null;
  const put = (now: Phrase, value: unknown) =>
    onChange({ field: field.key, op: now.op, value: valueOfPhrase(now, value) });
  const choose = (wanted: string) => {
    const next = filter.phrases.find(({ id }) => id === wanted) ?? phrase;
    setPhrase(next);
    if (next.takes === 'nothing') put(next, undefined);
    else if (next.takes === phrase.takes && when !== undefined) put(next, when.value);
    else onChange(undefined);
  };
  const edited = (parsed: Parsed) =>
    'problem' in parsed ? onChange(undefined) : put(phrase, parsed.value);
  return (
    <div className={classes.condition}>
      <NativeSelect
        aria-label={t('filter.operator')}
        data={filter.phrases.map(({ id, label }) => ({ value: id, label: t(label) }))}
        value={phrase.id}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      <OperandEdit
        key={phrase.takes}
        {...{ field, filter, phrase }}
        start={when?.value}
        isInvalid={when === undefined}
        describedBy={undefined}
        onChange={edited}
      />
    </div>
  );
}
