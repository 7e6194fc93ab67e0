// Reports and their answers: read, kept, changed, exported.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Group, ObjectAggregate, View } from '@workspace-records/client';
import { askGroupsTogether } from '../../lib/ask-together.ts';
import { reportsQuery } from '../../lib/saved-views.ts';
import { type Session, useSession, type WorkspaceClient } from '../../lib/session.ts';

export type NewReport = Parameters<Client['views']['create']>[0];
export type ReportChanges = Parameters<Client['views']['update']>[1];

/** Milliseconds: reports change seldom, and one's own changes are known here. */
const SETTLED = 60_000;
/** Groups in one answer, and answers for one report. */
const AT_ONCE = 100;
const MOST_PAGES = 5;
/** Groups in a file. */
const MOST_EXPORTED = 10_000;

export function reportQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'reports', id],
    queryFn: ({ signal }) => client.views.get(id, { signal }),
    staleTime: SETTLED,
  });
}

export interface Answer {
  readonly groups: readonly Group[];
  readonly isCut: boolean;
}

/** All groups, up to a bound. Reports of one page are asked together. */
export function answerQuery({ workspace, client }: Session, question: ObjectAggregate) {
  return queryOptions({
    queryKey: [workspace, question.object_type, 'groups', 'report', question],
    queryFn: async ({ signal }): Promise<Answer> => {
      const groups: Group[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const more: object = cursor === null ? {} : { cursor };
        const asked = { ...question, limit: AT_ONCE, ...more };
        const answer = await askGroupsTogether(client, asked, signal);
        groups.push(...answer.data);
        cursor = answer.pagination.next_cursor;
        if (cursor === null) break;
      }
      return { groups, isCut: cursor !== null };
    },
  });
}

/** Reads all groups for a file; a chart has fewer. */
export async function readAllGroups(
  client: Client,
  { object_type, ...question }: ObjectAggregate,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  const asked = { ...question, limit: AT_ONCE };
  for await (const group of client.records(object_type).aggregateQueryAll(asked)) {
    groups.push(group);
    if (groups.length === MOST_EXPORTED) break;
  }
  return groups;
}

/** Making, changing, copying and deleting reports. */
export function useReportWrites() {
  const session = useSession();
  const queries = useQueryClient();
  const { client, workspace } = session;
  const put = (view: View) => queries.setQueryData(reportQuery(session, view.id).queryKey, view);
  const again = () =>
    Promise.all([
      queries.invalidateQueries({ ...reportsQuery(session), exact: true }),
      queries.invalidateQueries({ queryKey: [workspace, 'dashboards'] }),
    ]);
  const create = useMutation({
    mutationFn: (view: NewReport) => client.views.create(view),
    onSuccess: put,
    onSettled: again,
  });
  const copy = useMutation({
    mutationFn: ({ id }: View) => client.views.copy(id),
    onSuccess: put,
    onSettled: again,
  });
  const update = useMutation({
    mutationFn: ({ view, changes }: { readonly view: View; readonly changes: ReportChanges }) =>
      client.views.update(view.id, changes, { version: view.version }),
    onSuccess: put,
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: ({ id }: View) => client.views.delete(id),
    onSettled: again,
  });
  return { create, copy, update, remove };
}
