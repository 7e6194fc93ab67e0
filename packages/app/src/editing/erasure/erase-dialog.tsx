// Erases a record for good: the service counts what there is of it, the person types its name. The progress and the
// report are those of the job, which has a page of its own.

import { Button, Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { countTraces, type ErasedRecord, startErasure } from '../../lib/erasures.ts';
import { useT } from '../../lib/messages/index.ts';
import { forgetRecent } from '../../lib/recent.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { deletedKey } from '../../lib/trash.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ErasureReport } from './erasure-report.tsx';

interface EraseDialogProps {
  readonly record: ErasedRecord;
  readonly onClose: () => void;
}

export default function EraseDialog({ record, onClose }: EraseDialogProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const session = useSession();
  const name = recordName(record);
  const { data, error, isPending } = useQuery({
    queryKey: [session.workspace, record.object_type, 'erasure', record.id],
    queryFn: () => countTraces(session, record),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const erasure = useErasure(record);
  const problem = error ?? erasure.error;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('erasure.title', { name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text mb="md">{t('erasure.text')}</Text>
      {isPending && (
        <Text mb="md" role="status">
          {t('erasure.counting')}
        </Text>
      )}
      {data !== undefined && <ErasureReport job={data} />}
      {problem !== null && <Problem error={problem} />}
      <TextInput
        label={t('delete.type', { name })}
        value={typed}
        autoComplete="off"
        data-autofocus
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <DialogButtons onClose={onClose}>
        <Button
          color="red"
          loading={erasure.isPending}
          disabled={data === undefined || typed.trim() !== name.trim()}
          onClick={() => erasure.mutate()}
        >
          {t('erasure.submit')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}

/** Leads to the job. */
function useErasure(record: ErasedRecord) {
  const session = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { workspace } = session;
  return useMutation({
    mutationFn: () => startErasure(session, record),
    async onSuccess({ id }) {
      forgetRecent(workspace, record.id);
      void queries.invalidateQueries({ queryKey: deletedKey(workspace, record.object_type) });
      await navigate({ to: '/$workspace/jobs/$id', params: { workspace, id } });
    },
  });
}
