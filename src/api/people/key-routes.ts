// API keys over HTTP: listing, making, changing, revoking. Parsing and presenting only; the way there is
// flow/people/key-flow.ts, which commands take too.

import Type from 'typebox';
import type { KeyUser } from '../../control/people/people.ts';
import { administrationOf } from '../../control/workspace/administer.ts';
import {
  changeKey,
  createKey,
  revokeKey as endKey,
  type KeyOfUser,
  listKeys as readKeys,
} from '../../flow/people/key-flow.ts';
import type { Authenticated } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { type Caller, knowsDirectory } from '../../model/rights/access.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import {
  EndInput,
  GatesInput,
  KeyShape,
  NameText,
  NewKeyShape,
  noParams,
  noQuery,
  RateInput,
  ScopesInput,
  SmallId,
} from './administration-shapes.ts';

const keyParams = Type.Object(
  { key_id: Type.String({ minLength: 1, maxLength: LIMITS.idLength }) },
  closed,
);

export const listKeys = defineRoute({
  method: 'GET',
  path: '/keys',
  operationId: 'listKeys',
  tag: 'Administration',
  summary: 'List API keys',
  description: 'Your keys, newest first. Administrators see the keys of all people and agents.',
  scope: 'keys:write',
  params: noParams,
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.keys),
      cursor: CursorQuery,
      user_id: Type.Optional(SmallId),
      include_revoked: Type.Enum(['true', 'false'], { default: 'false' }),
    },
    closed,
  ),
  status: 200,
  result: pageOf(KeyShape),
  errors: ['validation_failed', 'invalid_cursor', 'permission_denied'],
  async handle(request, context) {
    const { model, caller, query } = request;
    const { limit, cursor, user_id } = query;
    const revoked = query.include_revoked === 'true';
    const { id } = model.workspace;
    const binding = JSON.stringify(['keys', id, caller.user.id, user_id ?? null, revoked]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: string | undefined, most) =>
          readKeys(asked(request, context), { user_id, revoked, before }, most),
        idOf: ({ key }) => key.id,
      },
    );
    return { body: { data: rows.map((one) => presentKey(caller, one)), pagination } };
  },
});

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/keys',
  operationId: 'createKey',
  tag: 'Administration',
  summary: 'Create an API key',
  description: [
    'Only this response contains the secret. A key can create keys with at most its own scopes, rate and',
    'lifetime. Administrators create keys for others and for agents.',
  ].join(' '),
  scope: 'keys:write',
  fresh: true,
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      name: NameText,
      scopes: ScopesInput,
      expires_at: EndInput,
      requests_per_minute: RateInput,
      gates: GatesInput,
      user_id: Type.Optional(
        Type.Integer({ ...SmallId, description: 'The user it acts for; by default yourself.' }),
      ),
    },
    closed,
  ),
  status: 201,
  result: responseOf(NewKeyShape),
  errors: ['validation_failed', 'permission_denied', 'invalid_write', 'conflict'],
  async handle(request, context) {
    const { caller, body } = request;
    const wanted = { ...body, user_id: body.user_id ?? caller.user.id };
    const made = await createKey(asked(request, context), wanted);
    const data = { ...presentKey(caller, made), secret: made.secret };
    return { body: { data } };
  },
});

export const updateApiKey = defineRoute({
  method: 'PATCH',
  path: '/keys/{key_id}',
  operationId: 'updateKey',
  tag: 'Administration',
  summary: 'Change an API key',
  description:
    'Changes the name, the rate, or the end to an earlier one. Scopes never change: make another key.',
  scope: 'keys:write',
  params: keyParams,
  query: noQuery,
  body: Type.Object(
    {
      name: Type.Optional(NameText),
      expires_at: EndInput,
      requests_per_minute: RateInput,
    },
    closed,
  ),
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(KeyShape),
  errors: [
    'validation_failed',
    'permission_denied',
    'record_not_found',
    'conflict',
    'invalid_write',
  ],
  async handle(request, context) {
    const { params, body } = request;
    const changed = await changeKey(asked(request, context), params.key_id, body);
    return { body: { data: presentKey(request.caller, changed) } };
  },
});

export const revokeApiKey = defineRoute({
  method: 'DELETE',
  path: '/keys/{key_id}',
  operationId: 'revokeKey',
  tag: 'Administration',
  summary: 'Revoke an API key',
  description:
    'The key stops working at once, in other processes within a second. You can revoke a key twice.',
  scope: 'keys:write',
  params: keyParams,
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(KeyShape),
  errors: ['permission_denied', 'record_not_found'],
  async handle(request, context) {
    const revoked = await endKey(asked(request, context), request.params.key_id);
    return { body: { data: presentKey(request.caller, revoked) } };
  },
});

function asked(
  { caller, model, requestId }: Authenticated & { readonly requestId: string },
  { db, config }: ApiContext,
) {
  const { requestsPerMinute } = config;
  return { ...administrationOf({ db, model, caller, requestId }), requestsPerMinute };
}

export function presentKey(caller: Caller, { key, user }: KeyOfUser) {
  return {
    id: key.id,
    user: user === undefined ? null : presentUser(caller, user),
    type: key.type,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    requests_per_minute: key.requests_per_minute,
    gates: key.gates,
    expires_at: key.expires_at,
    revoked_at: key.revoked_at,
    created_at: key.created_at,
    last_used_at: key.last_used_at,
    ...(key.client_id === null ? {} : { client_id: key.client_id }),
    ...(key.view_id === null ? {} : { view_id: key.view_id }),
  };
}

/** A key whose scopes do not let it read people shows only the id of its user. */
function presentUser(caller: Caller, { id, name, email, kind, active }: KeyUser) {
  const isKnown = id === caller.user.id || knowsDirectory(caller);
  return { id, name: isKnown ? name : null, email: isKnown ? email : null, kind, active };
}
