// OAuth in the interface: what a person sees before they agree, their consent, and the clients of the workspace. The
// endpoints that clients call are in token-endpoints.ts; grants are keys (key-routes.ts).

import Type from 'typebox';
import { administrationOf } from '../../control/workspace/administer.ts';
import { enterClient, listWorkspaceClients, switchClient } from '../../flow/oauth/client-flow.ts';
import { giveConsent, type SeenRequest, seeRequest } from '../../flow/oauth/consent.ts';
import type { RouteRequest } from '../../http/route/route.ts';
import { GRANTED_SCOPES, LONGEST_GRANT_DAYS } from '../../plan/oauth/authorization-plan.ts';
import { hostOf, MOST_REDIRECT_URIS } from '../../plan/oauth/client-plan.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { NameText, noParams, noQuery } from '../people/administration-shapes.ts';
import { closed, listOf, nullable, responseOf } from '../shapes.ts';

const QUERY_LENGTH = 8000;
const ID_LENGTH = 1000;

const QueryText = Type.String({
  minLength: 1,
  maxLength: QUERY_LENGTH,
  description: 'The query string with which the client has sent the browser to `/oauth/authorize`.',
});
/** In ASCII: its bytes are in an index. */
const ClientId = Type.String({ pattern: '^[!-~]+$', maxLength: ID_LENGTH });

const AuthorizationShape = Type.Object(
  {
    client: Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'The name that the client gives itself.' }),
      kind: Type.Enum(['document', 'registered', 'entered'], {
        description:
          '`document`: its id is the address of its metadata, which the service has read.',
      }),
      host: nullable(
        Type.String({ description: 'The host of that address; null: it is not verified.' }),
      ),
    }),
    returns_to: nullable(
      Type.String({
        description: 'The host that gets the answer; null: a program on the machine.',
      }),
    ),
    scopes: Type.Array(Type.Enum([...GRANTED_SCOPES]), {
      description: 'The scopes that the client asks for and may get.',
    }),
    digest: Type.String({ description: 'The digest of the request, to send with the consent.' }),
    refusal: nullable(
      Type.String({ description: 'Why nobody can agree; null: the person may agree.' }),
    ),
    declined_url: Type.String({ description: 'The address that tells the client of a refusal.' }),
  },
  { $id: 'Authorization' },
);

export const readAuthorization = defineRoute({
  method: 'POST',
  path: '/oauth/authorizations',
  operationId: 'readAuthorization',
  tag: 'OAuth',
  summary: 'Read the request of a client',
  description: 'Who asks for access, and for what. Nothing is stored.',
  scope: null,
  sessionOnly: true,
  oauth: true,
  params: noParams,
  query: noQuery,
  body: Type.Object({ query: QueryText }, closed),
  status: 200,
  result: responseOf(AuthorizationShape),
  errors: ['validation_failed', 'permission_denied'],
  async handle(request, context) {
    const seen = await seeRequest({ ...brought(request, context), query: request.body.query });
    return { body: { data: presentSeen(seen) } };
  },
});

export const createGrant = defineRoute({
  method: 'POST',
  path: '/oauth/grants',
  operationId: 'createGrant',
  tag: 'OAuth',
  summary: 'Give a client access',
  description: [
    'The answer has the address to which the browser goes, with a code for the client. The grant is a key that',
    'passes no gates: it is listed and revoked at `/keys`.',
  ].join(' '),
  scope: null,
  sessionOnly: true,
  fresh: true,
  oauth: true,
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      query: QueryText,
      digest: Type.String({
        maxLength: 100,
        description: 'The `digest` of the request that the person saw.',
      }),
      write: Type.Boolean({ default: false, description: 'False: only the scopes that read.' }),
      days: Type.Integer({ minimum: 1, maximum: LONGEST_GRANT_DAYS, default: LONGEST_GRANT_DAYS }),
    },
    closed,
  ),
  status: 201,
  result: responseOf(Type.Object({ url: Type.String() })),
  errors: ['validation_failed', 'permission_denied', 'invalid_write', 'conflict'],
  async handle(request, context) {
    const { query, ...consent } = request.body;
    const url = await giveConsent({ ...brought(request, context), query }, consent);
    return { body: { data: { url } } };
  },
});

const ClientShape = Type.Object(
  {
    client_id: Type.String(),
    name: nullable(
      Type.String({
        description: 'The name of the client; null: its metadata is at the address of its id.',
      }),
    ),
    entered: Type.Boolean({ description: 'True: an administrator has entered it.' }),
    redirect_uris: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    grants: Type.Integer({ description: 'The number of grants in force.' }),
  },
  { $id: 'OauthClient' },
);

export const listOauthClients = defineRoute({
  method: 'GET',
  path: '/oauth/clients',
  operationId: 'listOauthClients',
  tag: 'OAuth',
  summary: 'List the clients of the workspace',
  description: 'For administrators: clients with grants, those that were entered or switched off.',
  scope: 'keys:write',
  oauth: true,
  params: noParams,
  query: noQuery,
  status: 200,
  result: listOf(ClientShape),
  errors: ['permission_denied'],
  async handle({ caller, model, requestId }, { db }) {
    const asked = administrationOf({ db, model, caller, requestId });
    return { body: { data: await listWorkspaceClients(asked) } };
  },
});

export const createOauthClient = defineRoute({
  method: 'POST',
  path: '/oauth/clients',
  operationId: 'createOauthClient',
  tag: 'OAuth',
  summary: 'Enter a client',
  description:
    'For administrators. Only this response contains the secret of a client that has one.',
  scope: 'keys:write',
  fresh: true,
  oauth: true,
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      name: NameText,
      redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: ID_LENGTH }), {
        ...{ minItems: 1, maxItems: MOST_REDIRECT_URIS, uniqueItems: true },
      }),
      confidential: Type.Boolean({
        default: false,
        description: 'True: the client gets a secret.',
      }),
    },
    closed,
  ),
  status: 201,
  result: responseOf(
    Type.Object({ client_id: Type.String(), client_secret: nullable(Type.String()) }),
  ),
  errors: ['validation_failed', 'permission_denied', 'conflict'],
  async handle({ caller, model, requestId, body }, { db }) {
    const made = await enterClient(administrationOf({ db, model, caller, requestId }), body);
    return { body: { data: made } };
  },
});

export const switchOauthClient = defineRoute({
  method: 'PATCH',
  path: '/oauth/clients',
  operationId: 'switchOauthClient',
  tag: 'OAuth',
  summary: 'Switch a client off or on',
  description:
    'For administrators. Switching a client off revokes all of its grants in the workspace.',
  scope: 'keys:write',
  oauth: true,
  params: noParams,
  query: noQuery,
  body: Type.Object({ client_id: ClientId, enabled: Type.Boolean() }, closed),
  status: 200,
  result: responseOf(Type.Object({ client_id: Type.String(), enabled: Type.Boolean() })),
  errors: ['validation_failed', 'permission_denied', 'conflict'],
  async handle({ caller, model, requestId, body }, { db }) {
    const asked = administrationOf({ db, model, caller, requestId });
    await switchClient(asked, { id: body.client_id, enabled: body.enabled });
    return { body: { data: body } };
  },
});

function brought(
  { caller, model, requestId, site }: RouteRequest<unknown, unknown, unknown>,
  { db, config, clientDocuments }: ApiContext,
) {
  const { requestsPerMinute } = config;
  const asked = administrationOf({ db, model, caller, requestId });
  return { ...asked, requestsPerMinute, documents: clientDocuments, origin: site().origin };
}

function presentSeen({ client, request, digest, declined }: SeenRequest) {
  const { id, name, kind } = client;
  const host = kind === 'document' ? new URL(id).host : null;
  return {
    client: { id, name, kind, host },
    returns_to: hostOf(request.redirect_uri),
    scopes: request.scopes,
    digest,
    refusal: request.refusal?.error_description ?? null,
    declined_url: declined,
  };
}
