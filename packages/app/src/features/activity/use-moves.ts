// From which status to which one an audit entry moved a record, and who decided: of the requests for moves, else of the
// history. The audit itself has no values; without a request and without a history the entry says only that.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  AuditEntry,
  HistoryEntry,
  ObjectDefinition,
  RecordData,
  StatusRequest,
} from '@workspace-records/client';
import { STATUS_KEY } from '../../lib/board-fields.ts';
import { hasHistory, historyQuery } from '../../lib/history.ts';
import { useSession } from '../../lib/session.ts';
import { requestsOf } from '../../lib/status-requests.ts';
import type { StreamItem } from './stream.ts';

export interface Move {
  /** The status, by its name to people. */
  readonly from: string;
  readonly to: string;
  /** The request, where there was one. */
  readonly request?: StatusRequest;
}

export type MoveOf = (entry: AuditEntry) => Move | undefined;

export function useMoves(
  object: ObjectDefinition,
  record: RecordData,
  items: readonly StreamItem[],
): MoveOf {
  const session = useSession();
  const { data: requests = [] } = useQuery({
    ...requestsOf(session, record),
    enabled: object.approvals === true,
  });
  const history = useInfiniteQuery({
    ...historyQuery(session, { type: record.object_type, id: record.id }),
    enabled: hasHistory(object) && items.some(isPlainMove),
  });
  const changes = history.data?.pages.flatMap(({ data }) => data) ?? [];
  const options = object.fields.find(({ key }) => key === STATUS_KEY)?.options ?? [];
  const named = (status: string) => options.find(({ value }) => value === status)?.label ?? status;
  return (entry) => {
    const move = moveOf(entry, requests, changes);
    return move && { ...move, from: named(move.from), to: named(move.to) };
  };
}

function isPlainMove(item: StreamItem): boolean {
  return item.kind === 'entry' && item.entry.action === 'status' && !item.entry.status_request_id;
}

export function moveOf(
  { at, action, status_request_id }: Pick<AuditEntry, 'at' | 'action' | 'status_request_id'>,
  requests: readonly StatusRequest[],
  history: readonly HistoryEntry[],
): Move | undefined {
  const request = requests.find(({ id }) => id === status_request_id);
  if (request !== undefined) {
    return { from: request.from_status, to: request.to_status, request };
  }
  const known = action === 'status' ? history.find((one) => one.at === at) : undefined;
  const change = known?.changes.find(({ field }) => field === STATUS_KEY);
  if (typeof change?.old !== 'string' || typeof change.new !== 'string') return undefined;
  return { from: change.old, to: change.new };
}
