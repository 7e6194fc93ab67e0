// Deleted records of an object: read, restored, removed for good.

import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DeletedRecord, RestoredRecord } from '@workspace-records/client';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession, type WorkspaceClient } from '../../lib/session.ts';
import { deletedKey, restorationAct, restoreRecord } from '../../lib/trash.ts';
import { noteUndo } from '../../lib/undo.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

const AT_ONCE = 50;

export function deletedQuery({ workspace, client }: WorkspaceClient, type: string, q: string) {
  return infiniteQueryOptions({
    queryKey: [...deletedKey(workspace, type), q],
    queryFn: ({ pageParam: cursor, signal }) =>
      client
        .records(type)
        .deleted({ limit: AT_ONCE, cursor, ...(q === '' ? {} : { q }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

/** The restored record opens; a note says what did not come back with it. */
export function useRestore(type: string) {
  const t = useT();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { workspace, client } = useSession();
  const restoring = { workspace, client, queries, type };
  return useMutation({
    mutationFn: ({ id }: DeletedRecord) => restoreRecord(restoring, id),
    async onSuccess({ record, not_restored }) {
      const name = recordName(record);
      const missing = missingText(not_restored, t);
      const text = [t('trash.restored', { name }), missing].join(' ').trim();
      noteUndo(restorationAct(restoring, record, text));
      const params = { workspace, type, id: record.id };
      await navigate({ to: '/$workspace/o/$type/$id', params });
    },
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
  });
}

function missingText(
  { links, references, fields }: RestoredRecord['not_restored'],
  t: Translate,
): string {
  const parts = [
    ...fields,
    ...(links > 0 ? [t('trash.links', { count: links })] : []),
    ...(references > 0 ? [t('trash.references', { count: references })] : []),
  ];
  return parts.length === 0 ? '' : t('trash.missing', { parts: parts.join(', ') });
}

export function usePurge(type: string) {
  const queries = useQueryClient();
  const { workspace, client } = useSession();
  return useMutation({
    mutationFn: ({ id }: DeletedRecord) => client.records(type).purge(id),
    onSettled: () => queries.invalidateQueries({ queryKey: deletedKey(workspace, type) }),
  });
}
