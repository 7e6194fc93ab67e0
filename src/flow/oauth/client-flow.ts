// Clients that register themselves (RFC 7591, 7592), and the clients of a workspace: entered, listed and switched off by
// administrators.

import { timingSafeEqual } from 'node:crypto';
import {
  appendClient,
  countEnteredClients,
  countRefusedClients,
  countUnusedClients,
  deleteClient,
  type ListedClient,
  listClients,
  loadClient,
  putClientRefusal,
  type StoredClient,
} from '../../control/oauth/oauth-clients.ts';
import { revokeGrants } from '../../control/people/api-keys.ts';
import { lockPeople } from '../../control/people/people.ts';
import { countAttempt } from '../../control/people/sign-in-attempts.ts';
import { type Administration, administer } from '../../control/workspace/administer.ts';
import { type CallerActor, subjectEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { requireAdministrator } from '../../model/rights/access.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import { networkOf } from '../../model/rights/network.ts';
import { makeToken } from '../../model/rights/session-token.ts';
import {
  type ClientMetadata,
  isRedirectUri,
  MOST_REDIRECT_URIS,
} from '../../plan/oauth/client-plan.ts';
import type { Database } from '../../postgres/db.ts';

export interface Registration extends ClientMetadata {
  readonly id: string;
  readonly created_at: string;
  /** The token with which the client reads and deletes its registration. */
  readonly token: string;
}

/** Seconds until the next registration, when there are too many. */
export type TooManyClients = { readonly wait: number };
const FULL: TooManyClients = { wait: 3600 };

/** Register a client that nobody knows: ten of an address in 15 minutes, and 1,000 that nobody uses. */
export async function registerClient(
  db: Database,
  metadata: ClientMetadata,
  address: string,
): Promise<Registration | TooManyClients> {
  const wait = await countAttempt(db, hashOf(`registration ${networkOf(address)}`));
  if (wait > 0) return { wait };
  const [id, token] = [newClientId(), makeToken()];
  const created_at = await db.transaction(async (tx) => {
    if ((await countUnusedClients(tx)) >= LIMITS.unusedClients) return undefined;
    return appendClient(tx, {
      ...{ ...metadata, id, kind: 'registered', workspace_id: null, secret_hash: null },
      registration_hash: hashOf(token),
    });
  });
  return created_at === undefined ? FULL : { ...metadata, id, token, created_at };
}

function newClientId(): string {
  return `client_${makeToken().slice(0, 22)}`;
}

/** The registration of a client that shows its token; undefined for any other. */
export async function findRegistration(
  db: Database,
  id: string,
  token: string,
): Promise<StoredClient | undefined> {
  const client = await loadClient(db, id);
  const known = client?.registration_hash;
  return known && timingSafeEqual(known, hashOf(token)) ? client : undefined;
}

/** Its grants end with their next refresh. */
export function endRegistration(db: Database, id: string): Promise<void> {
  return deleteClient(db, id);
}

/** Errors: `permission_denied`. */
export function listWorkspaceClients({
  db,
  workspace,
  actor,
}: Administration<CallerActor>): Promise<readonly ListedClient[]> {
  requireAdministrator(actor.caller);
  return listClients(db, workspace.id, LIMITS.listedClients);
}

export interface NewClientRequest extends ClientMetadata {
  /** True: the client proves with a secret that it is this client. */
  readonly confidential: boolean;
}

/** Enter a client; its id, and its secret if it has one. Errors: `permission_denied`, `validation_failed`, `conflict`. */
export function enterClient(
  asked: Administration<CallerActor>,
  { confidential, ...metadata }: NewClientRequest,
): Promise<{ readonly client_id: string; readonly client_secret: string | null }> {
  const { workspace, actor } = asked;
  requireAdministrator(actor.caller);
  if (!metadata.redirect_uris.every(isRedirectUri)) {
    const message = say('oauth_redirects_invalid', { most: MOST_REDIRECT_URIS });
    throw new ApiError('validation_failed', { param: 'redirect_uris', message });
  }
  const [id, secret] = [newClientId(), confidential ? makeToken() : null];
  return administer(asked, async (tx) => {
    await lockPeople(tx, workspace.id);
    requireFewer(await countEnteredClients(tx, workspace.id), LIMITS.enteredClients);
    await appendClient(tx, {
      ...{ ...metadata, id, kind: 'entered', workspace_id: workspace.id },
      ...{ secret_hash: secret === null ? null : hashOf(secret), registration_hash: null },
    });
    const result = { client_id: id, client_secret: secret };
    return { result, events: [subjectEvent('oauth_client', id, 'create')] };
  });
}

/** Errors: `conflict`. */
function requireFewer(clients: number, most: number): void {
  if (clients >= most)
    throw new ApiError('conflict', { message: say('too_many_clients', { most }) });
}

/** Switch a client off, which ends its grants, or on again. Errors: `permission_denied`, `conflict`. */
export function switchClient(
  asked: Administration<CallerActor>,
  change: { readonly id: string; readonly enabled: boolean },
): Promise<void> {
  const { workspace, actor } = asked;
  requireAdministrator(actor.caller);
  return administer(asked, async (tx) => {
    await lockPeople(tx, workspace.id);
    const isChanged = await putClientRefusal(tx, workspace.id, change);
    if (!change.enabled && isChanged) {
      requireFewer((await countRefusedClients(tx, workspace.id)) - 1, LIMITS.listedClients);
    }
    const ended = change.enabled ? [] : await revokeGrants(tx, workspace.id, change.id);
    const events = isChanged
      ? [{ ...subjectEvent('oauth_client', change.id, 'update'), changed_fields: ['enabled'] }]
      : [];
    const revoked = ended.map(({ id }) => subjectEvent('key', id, 'revoke'));
    return { result: undefined, events: [...events, ...revoked] };
  });
}
