// A person agrees that a client acts for them (docs/design/oauth.md). What they see and what they agree to is judged by
// the same function; the grant is a key that passes no gates, and its code is sent to the client by the browser.

import { isClientRefused, noteClientUse } from '../../control/oauth/oauth-clients.ts';
import { appendCode } from '../../control/oauth/oauth-tokens.ts';
import { loadMoment } from '../../control/people/api-keys.ts';
import { lockPeople } from '../../control/people/people.ts';
import { administer } from '../../control/workspace/administer.ts';
import type { CallerActor } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { requireDeveloper, type Scope } from '../../model/rights/access.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import { makeToken } from '../../model/rights/session-token.ts';
import {
  type AuthorizationRequest,
  answerAddress,
  digestOf,
  parseSentRequest,
  planAuthorization,
} from '../../plan/oauth/authorization-plan.ts';
import { type OauthClient, refusal } from '../../plan/oauth/client-plan.ts';
import { type KeyAdministration, makeKey } from '../people/key-flow.ts';
import { type ClientDocuments, findClient } from './find-client.ts';

/** The request of a client, as the browser of a person brings it. */
export interface BroughtRequest extends KeyAdministration {
  readonly actor: CallerActor;
  readonly documents: ClientDocuments;
  /** The query string with which the client has sent the browser. */
  readonly query: string;
  /** The origin of the service, as the browser sees it. */
  readonly origin: string;
}

export interface SeenRequest {
  readonly client: OauthClient;
  readonly request: AuthorizationRequest;
  /** The digest of the client's own description. */
  readonly digest: string;
  /** The address that tells the client that the person does not agree, or why nobody can. */
  readonly declined: string;
}

export interface Consent {
  readonly digest: string;
  /** True: the scopes that change something, too. */
  readonly write: boolean;
  readonly days: number;
}

const CODE_SECONDS = 300;
const DAY = 86_400;
const DECLINED = refusal('access_denied', 'The person has not agreed.');

/** Errors: `permission_denied`, `validation_failed`, `service_unavailable`. */
export async function seeRequest(brought: BroughtRequest): Promise<SeenRequest> {
  const { db, workspace, actor, documents, query, origin } = brought;
  requireDeveloper(actor.caller);
  const sent = parseSentRequest(query);
  if (await isClientRefused(db, workspace.id, sent.client_id)) throw switchedOff();
  const place = { id: sent.client_id, workspaceId: workspace.id };
  const client = await findClient(db, documents, place);
  const request = planAuthorization(client, sent, origin);
  const declined = answerAddress(request, origin, request.refusal ?? DECLINED);
  return { client, request, digest: digestOf(client), declined };
}

/**
 * Give the client access; the address that brings it the code. Errors: those of `seeRequest`, of new keys, and
 * `conflict` when the client says something else about itself than the person has seen.
 */
export async function giveConsent(brought: BroughtRequest, consent: Consent): Promise<string> {
  const { workspace, actor, origin } = brought;
  const { client, request, digest } = await seeRequest(brought);
  if (digest !== consent.digest) {
    throw new ApiError('conflict', { param: 'digest', message: say('oauth_client_changed') });
  }
  if (request.refusal !== undefined) {
    const message = say('oauth_request_refused', { reason: request.refusal.error_description });
    throw new ApiError('validation_failed', { param: 'query', message });
  }
  const scopes = request.scopes.filter((scope) => consent.write || isReading(scope));
  if (scopes.length === 0) {
    throw new ApiError('invalid_write', { param: 'write', message: say('oauth_nothing_given') });
  }
  const code = makeToken();
  await administer(brought, async (tx) => {
    // Until the end of the transaction nobody switches the client off.
    await lockPeople(tx, workspace.id);
    if (await isClientRefused(tx, workspace.id, client.id)) throw switchedOff();
    const grant = await makeKey(tx, brought, {
      ...{ name: client.name, user_id: actor.caller.user.id, scopes, gates: false },
      ...{ client_id: client.id, expires_at: await loadMoment(tx, CODE_SECONDS) },
    });
    await appendCode(tx, {
      ...{ code_hash: hashOf(code), api_key_id: grant.result.key.id, issuer: origin },
      ...{ redirect_uri: request.redirect_uri, challenge: request.challenge },
      ...{ grant_seconds: consent.days * DAY, seconds: CODE_SECONDS },
    });
    await noteClientUse(tx, client.id);
    return grant;
  });
  return answerAddress(request, origin, { code });
}

function isReading(scope: Scope): boolean {
  return scope.endsWith(':read');
}

function switchedOff(): ApiError {
  return new ApiError('permission_denied', {
    ...{ param: 'client_id', message: say('oauth_client_off') },
  });
}
