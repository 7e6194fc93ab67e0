// Moves that were asked for: those of a record, those that wait for the person, and what they do about them.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Endpoints, RecordData, StatusRequest } from '@workspace-records/client';
import { makeKey } from './idempotency-key.ts';
import { useSession, type WorkspaceClient } from './session.ts';

type RequestQuery = Endpoints['listStatusRequests']['query'];

/** The key in the cache; events about requests invalidate all of them. */
export const STATUS_REQUESTS = 'status_requests';

const MOST = 20;
/** Characters of a comment of a request or a decision. */
export const MOST_SAID = 2000;

export function statusRequestsQuery({ workspace, client }: WorkspaceClient, query: RequestQuery) {
  return queryOptions({
    queryKey: [workspace, STATUS_REQUESTS, query],
    queryFn: async ({ signal }) =>
      (await client.statusRequests.list({ limit: MOST, ...query }, { signal })).data,
  });
}

/** The most requests of a record that are shown. */
const MOST_OF_RECORD = 100;

/** The requests of a record, newest first. */
export function requestsOf(place: WorkspaceClient, { object_type, id }: RecordPlace) {
  return statusRequestsQuery(place, { object_type, record_id: id, limit: MOST_OF_RECORD });
}

type RecordPlace = Pick<RecordData, 'object_type' | 'id'>;

export interface AskedApproval {
  readonly record: RecordPlace;
  readonly to: string;
  readonly comment: string;
}

export function useAskApproval() {
  const { client } = useSession();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ record: { object_type, id }, to, comment }: AskedApproval) => {
      const said = comment.trim() === '' ? {} : { comment: comment.trim() };
      const options = { ...said, idempotencyKey: makeKey() };
      return client.records(object_type).requestStatus(id, to, options);
    },
    onSettled: (_, __, { record }) => refresh(record),
  });
}

export type Verdict = 'approve' | 'reject' | 'withdraw';

export interface RequestDecision {
  readonly request: StatusRequest;
  readonly decision: Verdict;
  readonly comment?: string;
}

/** An approval is of the record as the person sees it. */
export function useDecide() {
  const { client } = useSession();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ request, decision, comment = '' }: RequestDecision) => {
      const { id, version } = request;
      const options = { idempotencyKey: makeKey() };
      const said = comment.trim() === '' ? {} : { comment: comment.trim() };
      const seen = version === null ? {} : { expected_version: version };
      const { statusRequests } = client;
      if (decision === 'withdraw') return statusRequests.withdraw(id, options);
      if (decision === 'reject') return statusRequests.reject(id, said, options);
      return statusRequests.approve(id, { ...said, ...seen }, options);
    },
    onSettled: (_, __, { request: { object_type, record_id: id } }) => refresh({ object_type, id }),
  });
}

function useRefresh() {
  const { workspace } = useSession();
  const queries = useQueryClient();
  return async ({ object_type }: RecordPlace) => {
    await queries.invalidateQueries({ queryKey: [workspace, STATUS_REQUESTS] });
    // A decision reads the notifications that ask for it.
    void queries.invalidateQueries({ queryKey: [workspace, 'notifications'] });
    await queries.invalidateQueries({ queryKey: [workspace, object_type] });
  };
}
