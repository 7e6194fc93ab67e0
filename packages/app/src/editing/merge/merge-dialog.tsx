// Merging records side by side: the record that stays, and the record whose value each differing field gets. The service
// checks each choice before it is made.

import { Button, Modal, Text } from '@mantine/core';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import '../../lib/merge-texts.ts';
import type { CSSProperties, ReactNode } from 'react';
import { InGrid } from '../../fields/field-place.ts';
import { kindOf } from '../../fields/kinds.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import framed from '../../ui/framed-rows.module.css';
import { Hidden } from '../../ui/hidden.tsx';
import { Problem } from '../../ui/problem.tsx';
import { sourceOf } from './merge-choices.ts';
import classes from './merge-dialog.module.css';
import { MergeOutlook } from './merge-outlook.tsx';
import { useMerge, useRecords } from './use-merge.ts';

interface MergeDialogProps {
  readonly object: ObjectDefinition;
  readonly ids: readonly string[];
  /** Gets the ids of the records that are gone, before lists and pages lose them, and that of the other one. */
  readonly onMerged: (gone: readonly string[], stays: string) => unknown;
  readonly onClose: () => void;
}

export default function MergeDialog({ object, ids, onMerged, onClose }: MergeDialogProps) {
  const t = useT();
  const { records, isPending, error } = useRecords(object, ids);
  return (
    <Modal
      opened
      size="52rem"
      onClose={onClose}
      title={t('merge.title', { count: ids.length })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {error !== null && <Problem error={error} />}
      {!isPending && error === null && <Choosing {...{ object, records, onMerged, onClose }} />}
    </Modal>
  );
}

interface ChoosingProps extends Omit<MergeDialogProps, 'ids'> {
  readonly records: readonly RecordData[];
}

function Choosing({ object, records, onMerged, onClose }: ChoosingProps) {
  const t = useT();
  const { choices, setChoices, submit, ...merge } = useMerge(object, records, onMerged);
  const { fields, rehearsal, merging } = merge;
  const { stays, picked } = choices;
  const isRefused = rehearsal.error !== null;
  return (
    <>
      <Text c="dimmed" mb="md">
        {t(fields.length === 0 ? 'merge.same' : 'merge.choose')}
      </Text>
      <div
        className={`${framed.rows} ${classes.sides}`}
        style={{ '--records': records.length } as CSSProperties}
      >
        <Row
          name={t('merge.stays')}
          records={records}
          chosen={stays}
          // Values that were picked for another record that stays may be its own now.
          onChoose={(id) => setChoices({ stays: id, picked: {} })}
          show={(record) => (
            <>
              <strong>{recordName(record)}</strong>
              <Created record={record} />
            </>
          )}
        />
        {fields.map((field) => (
          <Row
            key={field.key}
            name={field.name ?? field.key}
            records={records}
            chosen={sourceOf(field, records, choices)}
            onChoose={(id) => setChoices({ stays, picked: { ...picked, [field.key]: id } })}
            show={(record) => (
              <>
                <Hidden>{`${recordName(record)}: `}</Hidden>
                <Value {...{ record, field }} />
              </>
            )}
          />
        ))}
      </div>
      <MergeOutlook object={object} rehearsal={rehearsal} />
      {merging.error !== null && <Problem error={merging.error} />}
      <DialogButtons onClose={onClose}>
        <Button
          loading={merging.isPending}
          disabled={isRefused || rehearsal.isPending || rehearsal.isPlaceholderData}
          onClick={submit}
        >
          {t('merge.submit')}
        </Button>
      </DialogButtons>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly records: readonly RecordData[];
  /** The id of the chosen record. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly show: (record: RecordData) => ReactNode;
}

function Row({ name, records, chosen, onChoose, show }: RowProps) {
  return (
    <div role="radiogroup" aria-label={name} className={classes.row}>
      <span className={classes.name}>{name}</span>
      {records.map((record) => (
        <label key={record.id} className={classes.choice}>
          <input
            type="radio"
            name={`merge ${name}`}
            checked={record.id === chosen}
            onChange={() => onChoose(record.id)}
          />
          <span className={classes.value}>{show(record)}</span>
        </label>
      ))}
    </div>
  );
}

/** Records of one name are told apart by the moment when they were created. */
function Created({ record: { created_at } }: { readonly record: RecordData }) {
  const t = useT();
  const { moment } = useFormats();
  if (created_at === null) return null;
  return (
    <Text span display="block" c="dimmed" fz="xs">
      {t('merge.created', { moment: moment(created_at) })}
    </Text>
  );
}

/** Links in it are not followed: a click chooses the value. */
function Value({ record, field }: { readonly record: RecordData; readonly field: Field }) {
  const t = useT();
  const value = fieldValue(record, field);
  const { Show } = kindOf(field);
  if (value === null)
    return (
      <Text span c="dimmed">
        {t('merge.empty')}
      </Text>
    );
  return (
    <InGrid value>
      <Show value={value} field={field} />
    </InGrid>
  );
}
