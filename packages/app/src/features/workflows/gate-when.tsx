// The condition of a gate: records that do not meet it move without approval.

import { NativeSelect, Stack } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { OperandEdit } from '../../editing/filters/operand-edit.tsx';
import type { Parsed } from '../../fields/field-edit.ts';
import { type Phrase, phraseOf, valueOfPhrase } from '../../fields/field-filter.ts';
import type { GateCondition } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Operator } from '../../lib/where.ts';
import { gateFilterOf, useGateFields } from './gate-fields.ts';

interface GateWhenProps {
  /** The id of the workflow. */
  readonly id: string;
  readonly when: GateCondition | undefined;
  readonly onChange: (when: GateCondition | undefined) => void;
}

/** A new condition is in the draft as soon as it has a value. */
export function GateWhen({ id, when, onChange }: GateWhenProps) {
  const t = useT();
  const fields = useGateFields(id);
  const [key, setKey] = useState(when?.field ?? '');
  const field = fields.find((one) => one.key === key);
  if (fields.length === 0) return null;
  return (
    <>
      <NativeSelect
        label={t('gate.when')}
        description={t('gate.whenText')}
        data={[
          { value: '', label: t('gate.always') },
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

interface OneConditionProps extends Pick<GateWhenProps, 'when' | 'onChange'> {
  readonly field: Field;
}

function OneCondition({ field, when, onChange }: OneConditionProps) {
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
    <Stack gap="sm">
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
    </Stack>
  );
}
