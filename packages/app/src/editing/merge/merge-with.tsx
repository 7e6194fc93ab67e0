// Merging a record with another one of its object, which a person searches for.

import { Modal } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { askPeek } from '../../lib/peek.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { RecordPicker } from '../record-picker.tsx';
import MergeDialog from './merge-dialog.tsx';

interface MergeWithProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
  readonly onClose: () => void;
}

export default function MergeWith({ object, record, onClose }: MergeWithProps) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const { id: page } = useParams({ strict: false });
  const [other, setOther] = useState<string>();
  const { object_type: type } = object;
  const { id } = record;
  if (other === undefined) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('merge.with', { name: recordName(record) })}
        closeButtonProps={{ 'aria-label': t('again.close') }}
      >
        <RecordPicker
          type={type}
          label={t('merge.search')}
          without={[id]}
          onChoose={({ target }) => setOther(target)}
        />
      </Modal>
    );
  }
  return (
    <MergeDialog
      {...{ object, onClose }}
      ids={[id, other]}
      onMerged={async ([gone], stays) => {
        onClose();
        if (gone !== id) return;
        const params = { workspace, type, id: stays };
        if (page === id) await navigate({ to: '/$workspace/o/$type/$id', params, replace: true });
        else askPeek(stays);
      }}
    />
  );
}
