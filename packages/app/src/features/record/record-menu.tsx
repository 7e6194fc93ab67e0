// The actions on a record besides changing its fields.

import { ActionIcon, Menu } from '@mantine/core';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { Suspense, useState } from 'react';
import { useCards } from '../../editing/transfers/use-cards.ts';
import { hasComments } from '../../lib/comments.ts';
import { downloadBundle } from '../../lib/erasures.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useCanChange } from '../../lib/permissions.ts';
import { useSession } from '../../lib/session.ts';
import { useIsAdministrator } from '../../lib/use-administrator.ts';
import { copyAddress } from '../../ui/copy-address.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePageAction } from '../../ui/page-actions.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { FollowItem } from './follow-item.tsx';

const DeleteDialog = later(() => import('./delete-dialog.tsx'));
const MergeWith = later(() => import('../../editing/merge/merge-with.tsx'));
const EraseDialog = later(() => import('../../editing/erasure/erase-dialog.tsx'));

interface RecordMenuProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
}

/** The first value that opens an editor. */
function editFirst(): void {
  document.querySelector<HTMLElement>('main [data-edit]')?.click();
}

export function RecordMenu({ object, record }: RecordMenuProps) {
  const t = useT();
  const canDelete = useCanChange(object, record, 'delete');
  const [open, setOpen] = useState<'merge' | 'delete' | 'erase'>();
  const mayErase = useIsAdministrator();
  const canUpdate = useCanChange(object, record, 'update');
  const edit = canUpdate ? editFirst : undefined;
  const merge = canUpdate && canDelete ? () => setOpen('merge') : undefined;
  const remove = canDelete ? () => setOpen('delete') : undefined;
  const erase = mayErase ? () => setOpen('erase') : undefined;
  useRecordActions({ edit, merge, remove, erase });
  const onClose = () => setOpen(undefined);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={t('record.more')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasComments(object) && <FollowItem record={record} />}
          <Menu.Item leftSection={<Icon name="copy" />} onClick={() => void copyAddress(t)}>
            {t('record.copyLink')}
          </Menu.Item>
          <CardItem {...{ object, record }} />
          <BundleItem record={record} />
          {merge !== undefined && (
            <Menu.Item leftSection={<Icon name="merge" />} onClick={merge}>
              {t('record.merge')}
            </Menu.Item>
          )}
          {remove !== undefined && (
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={remove}>
              {t('delete.open')}
            </Menu.Item>
          )}
          {erase !== undefined && (
            <Menu.Item color="red" leftSection={<Icon name="close" />} onClick={erase}>
              {t('erasure.open')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {open === 'merge' && <MergeWith {...{ object, record, onClose }} />}
        {open === 'delete' && <DeleteDialog {...{ object, record, onClose }} />}
        {open === 'erase' && <EraseDialog {...{ record, onClose }} />}
      </Suspense>
    </>
  );
}

type RecordActions = Readonly<Record<'edit' | 'merge' | 'remove' | 'erase', Run>>;
type Run = (() => void) | undefined;

/** The palette has them too. Undefined: it is not offered. */
function useRecordActions({ edit, merge, remove, erase }: RecordActions): void {
  const t = useT();
  const pencil = { id: 'record.edit', label: t('shortcuts.editRecord'), icon: 'pencil' } as const;
  usePageAction(edit && { ...pencil, shortcut: 'e', run: edit });
  const arrows = { id: 'record.merge', label: t('record.merge'), icon: 'merge' } as const;
  usePageAction(merge && { ...arrows, run: merge });
  const trash = { id: 'record.delete', label: t('delete.open'), icon: 'trash' } as const;
  usePageAction(remove && { ...trash, run: remove });
  const cross = { id: 'record.erase', label: t('erasure.open'), icon: 'close' } as const;
  usePageAction(erase && { ...cross, run: erase });
}

function CardItem({ object, record }: RecordMenuProps) {
  const t = useT();
  const cards = useCards(object);
  if (cards === undefined) return null;
  return (
    <Menu.Item leftSection={<Icon name="download" />} onClick={() => cards.download([record.id])}>
      {t('export.card')}
    </Menu.Item>
  );
}

function BundleItem({ record }: Pick<RecordMenuProps, 'record'>) {
  const t = useT();
  const session = useSession();
  const download = () =>
    void downloadBundle(session, record).then(
      (isComplete) => isComplete || showToast({ text: t('bundle.incomplete') }),
      (error: unknown) => showToast({ text: problemText(error, t), isProblem: true }),
    );
  return (
    <Menu.Item leftSection={<Icon name="download" />} onClick={download}>
      {t('bundle.download')}
    </Menu.Item>
  );
}
