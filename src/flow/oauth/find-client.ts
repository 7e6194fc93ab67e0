// The client of an id: of its row, or of its metadata at the address that is the id. Metadata is fetched for people who
// have signed in only, few at a time and each once, and used as long as its answer allows.

import { LRUCache } from 'lru-cache';
import { loadClient } from '../../control/oauth/oauth-clients.ts';
import { limitConcurrency } from '../../control/process/limit-concurrency.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import {
  isDocumentId,
  type OauthClient,
  parseClientDocument,
} from '../../plan/oauth/client-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import type { FetchDocument } from '../../webhooks/fetch-document.ts';

/** Finds the client of an address. Errors: `validation_failed`, `service_unavailable`. */
export type ClientDocuments = (id: string) => Promise<OauthClient>;

const DOCUMENTS = 500;
const AT_ONCE = 4;
const MOST_WAITING = 20;

export function openClientDocuments(fetchDocument: FetchDocument): ClientDocuments {
  const clients = new LRUCache<string, OauthClient>({ max: DOCUMENTS });
  const inTurn = limitConcurrency(AT_ONCE, MOST_WAITING);
  const fetching = new Map<string, Promise<OauthClient>>();
  async function read(id: string): Promise<OauthClient> {
    const fetched = await inTurn(() => fetchDocument(id));
    if ('reason' in fetched) throw unusable(fetched.reason);
    const client = parseClientDocument(id, fetched.value);
    if ('error' in client) throw unusable(client.error_description);
    if (fetched.freshSeconds > 0) clients.set(id, client, { ttl: fetched.freshSeconds * 1000 });
    return client;
  }
  return async (id) => {
    const known = clients.get(id) ?? fetching.get(id);
    if (known !== undefined) return known;
    const found = read(id).finally(() => fetching.delete(id));
    fetching.set(id, found);
    return found;
  };
}

function unusable(reason: string): ApiError {
  const message = say('oauth_client_unusable');
  return new ApiError('validation_failed', { param: 'client_id', message, details: { reason } });
}

/** Errors: `validation_failed` for a client that is unknown in this workspace. */
export async function findClient(
  db: Queryable,
  documents: ClientDocuments,
  { id, workspaceId }: { readonly id: string; readonly workspaceId: number },
): Promise<OauthClient> {
  if (isDocumentId(id)) return documents(id);
  const client = await loadClient(db, id);
  const isKnown = client?.workspace_id === null || client?.workspace_id === workspaceId;
  if (client !== undefined && isKnown) return client;
  throw new ApiError('validation_failed', {
    ...{ param: 'client_id', message: say('oauth_client_unknown') },
  });
}
