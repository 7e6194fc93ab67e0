// Deleting a record under the version that was looked at, and where one is afterwards. It is undone where the service
// keeps deleted records.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isRecordsError, type ObjectDefinition, type RecordData } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { splitPeek } from '../../lib/peek.ts';
import { forgetRecent } from '../../lib/recent.ts';
import { dropRecord, rereadAround } from '../../lib/record-cache.ts';
import { recordName } from '../../lib/record-name.ts';
import { recordQuery } from '../../lib/record-writes.ts';
import { countedName, useObjects } from '../../lib/schema-queries.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { deletionAct, keepsDeleted } from '../../lib/trash.ts';
import { noteUndo } from '../../lib/undo.ts';
import { showFinal } from '../../ui/toast.ts';

export function useDelete(object: ObjectDefinition, record: RecordData) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const objects = useObjects();
  const { object_type: type, id, version } = record;
  const { workspace, client } = session;
  const nameOf = (otherType: string, count: number) => {
    const other = objects.find(({ object_type }) => object_type === otherType);
    return other === undefined ? otherType : countedName(other, count);
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.records(type).delete(id, { version }),
    async onSuccess({ cleared_references = {} }) {
      const name = recordName(record);
      const cleared = Object.entries(cleared_references).map(([other, count]) =>
        t('delete.hasCleared', { count, name: nameOf(other, count) }),
      );
      forgetRecent(workspace, id);
      // First away from its page, which would request it again.
      await navigate({
        to: '/$workspace/o/$type',
        params: { workspace, type },
        search: (search) => listBehind(search as SearchParams, id),
        replace: true,
      });
      dropRecord(queries, workspace, record);
      rereadAround(queries, workspace, type);
      const text = [t('delete.done', { name }), ...cleared].join(' ');
      const act = deletionAct({ workspace, client, queries, type }, { ids: [id], text });
      if (keepsDeleted(object)) noteUndo(act);
      else showFinal({ text });
    },
    async onError(failure) {
      if (isRecordsError(failure, 'stale_record'))
        await queries.invalidateQueries(recordQuery(session, type, id));
    },
  });
  return { remove: () => mutate(), isDeleting: isPending, problem: error ?? undefined };
}

/** The parameters of the list beside which the record is shown; none from the page of the record. */
function listBehind(search: SearchParams, id: string): SearchParams {
  const { list, peek } = splitPeek(search);
  return peek === id ? list : {};
}
