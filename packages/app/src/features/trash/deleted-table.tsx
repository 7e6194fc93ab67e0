// Deleted records as a table: which, when, by whom, until when, with the buttons to restore one or to delete it for good.

import { Button, Modal, Text } from '@mantine/core';
import type { DeletedRecord } from '@workspace-records/client';
import { Suspense, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { recordName } from '../../lib/record-name.ts';
import { useIsAdministrator } from '../../lib/use-administrator.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';
import { usePurge, useRestore } from './api.ts';

const EraseDialog = later(() => import('../../editing/erasure/erase-dialog.tsx'));

interface DeletedTableProps {
  readonly type: string;
  readonly records: readonly DeletedRecord[];
  readonly isBusy: boolean;
}

export function DeletedTable({ type, records, isBusy }: DeletedTableProps) {
  const t = useT();
  const [purged, setPurged] = useState<DeletedRecord>();
  const [erased, setErased] = useState<DeletedRecord>();
  const mayErase = useIsAdministrator();
  return (
    <>
      <table className={table.table} aria-label={t('trash.open')} aria-busy={isBusy}>
        <thead>
          <tr>
            <th scope="col">{t('trash.name')}</th>
            <th scope="col" data-wide>
              {t('trash.deleted')}
            </th>
            <th scope="col" data-wide>
              {t('trash.by')}
            </th>
            <th scope="col" data-wide>
              {t('trash.until')}
            </th>
            <th scope="col" className={table.tight}>
              <Hidden>{t('trash.acts')}</Hidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row
              key={record.id}
              {...{ type, record }}
              onPurge={() => setPurged(record)}
              onErase={mayErase ? () => setErased(record) : undefined}
            />
          ))}
        </tbody>
      </table>
      {purged !== undefined && (
        <PurgeDialog type={type} record={purged} onClose={() => setPurged(undefined)} />
      )}
      {erased !== undefined && (
        <Suspense>
          <EraseDialog record={erased} onClose={() => setErased(undefined)} />
        </Suspense>
      )}
    </>
  );
}

interface RowProps {
  readonly type: string;
  readonly record: DeletedRecord;
  readonly onPurge: () => void;
  /** Undefined: not an administrator. */
  readonly onErase: (() => void) | undefined;
}

const LOSING = { size: 'xs', variant: 'subtle', color: 'red' } as const;

function Row({ type, record, onPurge, onErase }: RowProps) {
  const t = useT();
  const { ago, moment } = useFormats();
  const restore = useRestore(type);
  const name = recordName(record);
  const { public_id, deleted_at, deleted_by_user_id, restorable_until } = record;
  return (
    <tr>
      <td>
        <span className={table.strong}>{name}</span>
        {public_id !== undefined && (
          <div className={`${table.dim} ${table.small}`}>{public_id}</div>
        )}
      </td>
      <td data-wide className={table.dim}>
        <time dateTime={deleted_at} title={moment(deleted_at)}>
          {ago(deleted_at)}
        </time>
      </td>
      <td data-wide>
        <PersonName id={deleted_by_user_id} />
      </td>
      <td data-wide className={table.dim}>
        <time dateTime={restorable_until}>{moment(restorable_until)}</time>
      </td>
      <td className={table.tight}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('trash.restoreOne', { name })}
          loading={restore.isPending}
          onClick={() => restore.mutate(record)}
        >
          {t('trash.restore')}
        </Button>{' '}
        <Button {...LOSING} aria-label={t('trash.purgeOne', { name })} onClick={onPurge}>
          {t('trash.purge')}
        </Button>
        {onErase !== undefined && (
          <Button {...LOSING} aria-label={t('erasure.openOne', { name })} onClick={onErase}>
            {t('erasure.submit')}
          </Button>
        )}
      </td>
    </tr>
  );
}

function PersonName({ id }: { readonly id: number }) {
  return usePersonName(id);
}

interface PurgeDialogProps {
  readonly type: string;
  readonly record: DeletedRecord;
  readonly onClose: () => void;
}

function PurgeDialog({ type, record, onClose }: PurgeDialogProps) {
  const t = useT();
  const name = recordName(record);
  const purge = usePurge(type);
  const onSuccess = () => {
    onClose();
    showToast({ text: t('trash.purged', { name }) });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('trash.purgeTitle', { name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text c="dimmed" mb="lg" maw="40rem">
        {t('trash.purgeText')}
      </Text>
      {purge.error !== null && <Problem error={purge.error} />}
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button
          color="red"
          loading={purge.isPending}
          onClick={() => purge.mutate(record, { onSuccess })}
        >
          {t('trash.purge')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
