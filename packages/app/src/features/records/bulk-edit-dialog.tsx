// One value for a field of all the rows that are chosen.

import { Button, Modal, NativeSelect, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { useId, useState } from 'react';
import { editOf } from '../../fields/edits.ts';
import { parseEdited } from '../../fields/field-edit.ts';
import { offeredFields } from '../../lib/field-order.ts';
import { ruleProblem } from '../../lib/field-rules.ts';
import { changeOf, fieldValue, isSame } from '../../lib/field-value.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';

import classes from './bulk-dialog.module.css';
import type { BulkDialogProps } from './chosen-bar.tsx';
import { isEditable } from './editable.ts';
import { RefusedList } from './refused-list.tsx';
import { type Reversible, useWriteMany } from './write-many.ts';

export default function BulkEditDialog({ object, records, total, onClose }: BulkDialogProps) {
  const t = useT();
  const fields = offeredFields(object).filter((field) =>
    isEditable({ kind: 'field', id: field.key, field }),
  );
  const [key, setKey] = useState(fields[0]?.key ?? '');
  const field = fields.find((one) => one.key === key);
  const { save, done, isBusy, outcome } = useBulkEdit(object, records, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('grid.changeTitle', { count: records.length })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {records.length < total && (
        <p className={classes.text}>{t('grid.someOnly', { count: total - records.length })}</p>
      )}
      <NativeSelect
        label={t('grid.field')}
        data={fields.map((one) => ({ value: one.key, label: one.name ?? one.key }))}
        value={key}
        disabled={isBusy}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      {field !== undefined && (
        <ValueForm key={key} field={field} isBusy={isBusy} onSave={(value) => save(field, value)} />
      )}
      {isBusy && (
        <Progress
          aria-label={t('grid.progress')}
          className={classes.progress}
          value={(done / records.length) * 100}
        />
      )}
      {outcome !== undefined && (
        <RefusedList {...{ outcome }} fields={object.fields} nameAt={(index) => records[index]} />
      )}
    </Modal>
  );
}

interface ValueFormProps {
  readonly field: Field;
  readonly isBusy: boolean;
  readonly onSave: (value: unknown) => void;
}

function ValueForm({ field, isBusy, onSave }: ValueFormProps) {
  const t = useT();
  const id = useId();
  const language = useLanguage();
  const edit = editOf(field);
  const [draft, setDraft] = useState<unknown>(() => edit?.start(null, language));
  const [problem, setProblem] = useState<string>();
  if (edit === undefined) return null;
  const submit = () => {
    const parsed = parseEdited(edit, { draft, began: null }, language);
    if ('problem' in parsed) return setProblem(t(parsed.problem));
    // No input: a button of its own clears the field.
    const isBlank = parsed.value === null && !field.required;
    const broken = isBlank ? t('grid.noValue') : ruleProblem(field, parsed.value, t);
    setProblem(broken);
    if (broken === undefined) onSave(parsed.value);
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id}>{t('grid.value')}</label>
      <edit.Edit
        {...{ draft, field, id }}
        isInvalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : `${id}-problem`}
        onChange={setDraft}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={classes.buttons}>
        {!field.required && (
          <Button variant="default" disabled={isBusy} onClick={() => onSave(null)}>
            {t('grid.clearField')}
          </Button>
        )}
        <Button type="submit" loading={isBusy}>
          {t('record.save')}
        </Button>
      </div>
    </form>
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
