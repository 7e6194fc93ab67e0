// Webhooks and their deliveries: read, changed, tested, sent again. A new secret is in the answer and in the component that
// shows it; it never enters a cache.

import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Client, Endpoints, Webhook } from '@workspace-records/client';
import { type Session, useSession, type WorkspaceClient } from '../../lib/session.ts';

export type WebhookBody = Endpoints['createWebhook']['body'];
export type WebhookChanges = Endpoints['updateWebhook']['body'];
export type EventType = WebhookBody['events'][number];
export type DeliveryFilter = Pick<
  Endpoints['listWebhookDeliveries']['query'],
  'state' | 'type' | 'since'
>;
export type ReplayRange = Endpoints['replayWebhook']['body'];

/** Milliseconds: no event reports deliveries, so what is shown is read again. */
const LIVE = 3000;
const CALM = 15_000;
/** Lists of more pages are not read again by themselves. */
const FEW_PAGES = 2;
const AT_ONCE = 50;
/** People to choose from. */
const OFFERED = 20;

export function webhooksQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'webhooks'],
    queryFn: async ({ signal }) => {
      const webhooks: Webhook[] = [];
      for await (const webhook of client.webhooks.all({}, { signal })) webhooks.push(webhook);
      return webhooks;
    },
    refetchInterval: CALM,
  });
}

export function webhookQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'webhooks', id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
    refetchInterval: LIVE,
  });
}

export function deliveriesQuery(
  { workspace, client }: WorkspaceClient,
  id: string,
  filter: DeliveryFilter,
) {
  return infiniteQueryOptions({
    queryKey: [workspace, 'webhooks', id, 'deliveries', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.webhooks.deliveries(id).list({ ...filter, limit: AT_ONCE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= FEW_PAGES ? LIVE : false),
  });
}

/** Active people whose name or address has the text, or the first ones. */
export function ownersQuery({ workspace, client }: WorkspaceClient, q: string) {
  return queryOptions({
    queryKey: [workspace, 'people', 'owners', q],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, ...(q === '' ? {} : { q }) };
      return (await client.users.list(query, { signal })).data;
    },
  });
}

export function useCreateWebhook() {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (body: WebhookBody) => session.client.webhooks.create(body),
    // The result of the mutation is dropped with its component.
    gcTime: 0,
    onSuccess: again,
  });
}

export function useRotateSecret(id: string) {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (overlap_hours: number) =>
      session.client.webhooks.rotateSecret(id, { overlap_hours }),
    gcTime: 0,
    onSuccess: again,
  });
}

/** Changes a webhook; refused when somebody else has changed it since `version`. */
export function useChangeWebhook({
  id,
  version,
}: {
  readonly id: string;
  readonly version?: string;
}) {
  const { session, queries, again } = useAgain();
  return useMutation({
    mutationFn: (changes: WebhookChanges) =>
      session.client.webhooks.update(id, changes, { version }),
    onSuccess: (changed) => queries.setQueryData(webhookQuery(session, id).queryKey, changed),
    onSettled: again,
  });
}

export function useDeleteWebhook(id: string) {
  const { session, queries } = useAgain();
  return useMutation({
    mutationFn: () => session.client.webhooks.delete(id),
    onSuccess: () => queries.invalidateQueries({ ...webhooksQuery(session), exact: true }),
  });
}

export function useTestWebhook(id: string) {
  return useCall((client) => client.webhooks.test(id));
}

export function useReplay(id: string) {
  return useCall((client, delivery: string) => client.webhooks.deliveries(id).replay(delivery));
}

export function useReplayRange(id: string) {
  return useCall((client, range: ReplayRange) => client.webhooks.replay(id, range));
}

/** A call after which everything about webhooks is read again. */
function useCall<Result, Given = void>(call: (client: Client, given: Given) => Promise<Result>) {
  const { session, again } = useAgain();
  return useMutation({
    mutationFn: (given: Given) => call(session.client, given),
    onSettled: again,
  });
}

interface Again {
  readonly session: Session;
  readonly queries: QueryClient;
  again(): Promise<void>;
}

function useAgain(): Again {
  const session = useSession();
  const queries = useQueryClient();
  return {
    session,
    queries,
    again: () => queries.invalidateQueries({ queryKey: [session.workspace, 'webhooks'] }),
  };
}
