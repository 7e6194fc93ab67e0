// One value for a field of all the rows that are chosen.

import { Modal, Progress, Text } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { changeOf, fieldValue, isSame } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';
import { BulkValueForm } from './bulk-value-form.tsx';
import type { BulkDialogProps } from './chosen-bar.tsx';
import { RefusedList } from './refused-list.tsx';
import { type Reversible, useWriteMany } from './write-many.ts';

export default function BulkEditDialog({ object, records, total, onClose }: BulkDialogProps) {
  const t = useT();
  const { save, done, isBusy, outcome } = useBulkEdit(object, records, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('grid.changeTitle', { count: records.length })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {records.length < total && (
        <Text c="dimmed" mb="md">
          {t('grid.someOnly', { count: total - records.length })}
        </Text>
      )}
      <BulkValueForm {...{ object, isBusy }} submit={t('record.save')} onSave={save} />
      {isBusy && (
        <Progress aria-label={t('grid.progress')} mt="lg" value={(done / records.length) * 100} />
      )}
      {outcome !== undefined && (
        <RefusedList {...{ outcome }} fields={object.fields} nameAt={(index) => records[index]} />
      )}
    </Modal>
  );
}

function useBulkEdit(
  { object_type }: ObjectDefinition,
  records: readonly RecordData[],
  onDone: () => void,
) {
  const t = useT();
  const { run } = useWriteMany();
  const [done, setDone] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<BatchOutcome>();
  const save = async (field: Field, value: unknown) => {
    setBusy(true);
    const writes = records.map((record) => changeOfRecord(record, field, value));
    const name = field.name ?? field.key;
    const text = (count: number) => t('grid.fieldChanged', { count, field: name });
    const result = await run({ type: object_type, writes, text, onProgress: setDone });
    setBusy(false);
    setOutcome(result);
    if (result.refused.length === 0) onDone();
  };
  return {
    save: (field: Field, value: unknown) => void save(field, value),
    ...{ done, isBusy, outcome },
  };
}

/** A field that has the value already is written all the same: the person requests that it stays so. */
export function changeOfRecord(record: RecordData, field: Field, value: unknown): Reversible {
  const { object_type, id, version } = record;
  const before = fieldValue(record, field);
  const action = 'update' as const;
  return {
    operation: {
      ...{ action, object_type, id, fields: changeOf(field, value) },
      ...(version === undefined ? {} : { expected_version: version }),
    },
    inverse: ({ version: expected_version }) =>
      isSame(before, value)
        ? undefined
        : { action, object_type, id, fields: changeOf(field, before), expected_version },
  };
}
