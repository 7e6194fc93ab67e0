// The records of a merge as they are now, its dry run for the present choices, and the merge itself.

import {
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { recordQuery } from '../../lib/record-writes.ts';
import { useSession } from '../../lib/session.ts';
import { keepsDeleted } from '../../lib/trash.ts';
import { noteUndo } from '../../lib/undo.ts';
import { showFinal } from '../../ui/toast.ts';
import { type Merge, mergeAct, sendMerge, showMerge } from './merge-act.ts';
import { type Choices, differingFields, requestOf } from './merge-choices.ts';

export function useRecords(object: ObjectDefinition, ids: readonly string[]) {
  const session = useSession();
  return useQueries({
    // Lists have the fields that they show; a merge is about all of them.
    queries: ids.map((id) => ({ ...recordQuery(session, object.object_type, id), staleTime: 0 })),
    combine: (all) => ({
      records: all.flatMap(({ data }) => data ?? []),
      isPending: all.some(({ isPending }) => isPending),
      error: all.find(({ error }) => error !== null)?.error ?? null,
    }),
  });
}

export function useMerge(
  object: ObjectDefinition,
  records: readonly RecordData[],
  onMerged: (gone: readonly string[], stays: string) => unknown,
) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const { object_type: type } = object;
  const merger = { ...session, queries, type };
  const [choices, setChoices] = useState<Choices>({ stays: records[0]?.id ?? '', picked: {} });
  const fields = differingFields(object, records);
  const request = requestOf(fields, records, choices);
  const { stays: id } = choices;
  const version = records.find((record) => record.id === id)?.version;
  const rehearsal = useQuery({
    queryKey: [session.workspace, type, 'merge', id, version, request],
    queryFn: ({ signal }) =>
      session.client.records(type).mergeDryRun(id, request, { version, signal }),
    ...{ retry: false, staleTime: 0, gcTime: 0, placeholderData: keepPreviousData },
  });
  const merging = useMutation({
    mutationFn: (merge: Merge) => sendMerge(merger, merge),
    async onSuccess(done, merge) {
      // First away from the page of a record that is gone, which would request it again.
      await onMerged(done.merged, merge.id);
      showMerge(merger, done);
      const name = recordName(done.record);
      const text = t('merge.done', { count: done.merged.length, name });
      if (keepsDeleted(object)) noteUndo(mergeAct(merger, { merge, made: done.merge, text }));
      else showFinal({ text });
    },
    // Records that have changed are shown as they are now.
    onError: () =>
      Promise.all(
        records.map((one) => queries.invalidateQueries(recordQuery(session, type, one.id))),
      ),
  });
  const submit = () => merging.mutate({ id, version, request });
  return { fields, choices, setChoices, rehearsal, merging, submit };
}
