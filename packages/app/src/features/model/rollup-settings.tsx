// The settings of a rollup: the records that refer to a record, the value that they give, and the conditions that they meet.

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '@workspace-records/client';
import { useState } from 'react';
import { gateFilterOf, OwnCondition } from '../../editing/filters/own-condition.tsx';
import { STATUS_KEY } from '../../lib/board-fields.ts';
import type { GateCondition, RollupEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import {
  fieldsFor,
  ROLLUP_NAMES,
  ROLLUP_OPERATIONS,
  referencesTo,
  withWords,
} from '../../lib/definition/rollups.ts';
import { isQueryable } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import type { FieldPartProps } from './field-form.tsx';
import { orNothing } from './field-settings.tsx';

export function RollupSettings(props: FieldPartProps) {
  const { type, field, set, problems } = props;
  const t = useT();
  const { objects } = useDefinition().document;
  const { rollup } = field;
  const references = referencesTo(objects, type);
  const at = references.findIndex(({ reference: { object_type, field: key } }) => {
    return object_type === rollup?.reference.object_type && key === rollup.reference.field;
  });
  return (
    <>
      <NativeSelect
        label={t('rollup.records')}
        description={t(references.length === 0 ? 'rollup.noRecords' : 'rollup.recordsText')}
        error={problems.get('rollup')}
        data={[
          { value: '-1', label: t('rollup.choose') },
          ...references.map(({ label }, index) => ({ value: `${index}`, label })),
        ]}
        value={`${at}`}
        onChange={({ currentTarget: { value } }) => {
          const reference = references[Number(value)]?.reference;
          if (reference === undefined) set(orNothing('rollup', undefined));
          else if (rollup === undefined) set({ rollup: { reference, op: 'count' } });
          else set({ rollup: withWords(rollup, { reference }, objects) });
        }}
      />
      {rollup !== undefined && (
        <Summary
          key={rollup.reference.object_type}
          rollup={rollup}
          problem={problems.get('rollup.field')}
          change={(words) => set({ rollup: withWords(rollup, words, objects) })}
        />
      )}
    </>
  );
}

interface SummaryProps {
  readonly rollup: RollupEntry;
  readonly problem: string | undefined;
  readonly change: (words: Partial<RollupEntry>) => void;
}

function Summary({ rollup, problem, change }: SummaryProps) {
  const t = useT();
  const { op, field = '', reference } = rollup;
  const { fields = {} } = useDefinition().document.objects[reference.object_type] ?? {};
  return (
    <>
      <NativeSelect
        label={t('formula.result')}
        data={ROLLUP_OPERATIONS.map((value) => ({ value, label: t(ROLLUP_NAMES[value]) }))}
        value={op}
        onChange={({ currentTarget: { value } }) => change({ op: value as RollupEntry['op'] })}
      />
      {op !== 'count' && (
        <NativeSelect
          label={t('rollup.field')}
          error={problem}
          data={[
            { value: '', label: t('rollup.chooseField') },
            ...fieldsFor(op, fields).map((key) => ({
              value: key,
              label: fields[key]?.name ?? key,
            })),
          ]}
          value={field}
          onChange={({ currentTarget: { value } }) => change({ field: value })}
        />
      )}
      <Conditions rollup={rollup} onChange={(where) => change({ where })} />
    </>
  );
}

interface ConditionsProps {
  readonly rollup: RollupEntry;
  readonly onChange: (where: readonly GateCondition[]) => void;
}

/** Conditions are about fields in force, and one more can be added. */
function Conditions({ rollup: { reference, where = [] }, onChange }: ConditionsProps) {
  const t = useT();
  const type = reference.object_type;
  const { present, document } = useDefinition();
  const isPresent = present.document.objects[type] !== undefined;
  const { data: object } = useQuery({ ...objectQuery(useSession(), type), enabled: isPresent });
  const [rows, setRows] = useState<readonly (GateCondition | undefined)[]>([...where, undefined]);
  const { fields: own = {}, workflow } = document.objects[type] ?? {};
  const fields = (object?.fields ?? []).filter((field) => {
    const isMeant =
      field.key === STATUS_KEY ? workflow !== undefined : Object.hasOwn(own, field.key);
    return isMeant && isQueryable(field) && gateFilterOf(field) !== undefined;
  });
  const change = (at: number, condition: GateCondition | undefined) => {
    const next = rows.with(at, condition);
    setRows(next.at(-1) === undefined ? next : [...next, undefined]);
    onChange(next.filter((one) => one !== undefined));
  };
  return rows.slice(0, LIMITS.rollupConditions).map((condition, at) => (
    <OwnCondition
      // biome-ignore lint/suspicious/noArrayIndexKey: conditions have nothing else that names them.
      key={at}
      fields={fields}
      label={t(at === 0 ? 'rollup.where' : 'rollup.also')}
      none={t(at === 0 ? 'rollup.all' : 'rollup.noMore')}
      when={condition}
      onChange={(when) => change(at, when)}
    />
  ));
}
