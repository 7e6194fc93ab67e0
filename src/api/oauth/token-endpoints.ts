// The endpoints that clients of OAuth call by themselves: tokens, their end, and registration. Bodies and errors have the
// forms of RFC 6749, 7009, 7591 and 7592.

import { ApiError } from '../../errors.ts';
import {
  endRegistration,
  findRegistration,
  type Registration,
  registerClient,
} from '../../flow/oauth/client-flow.ts';
import {
  exchangeCode,
  type IssuedTokens,
  refreshTokens,
  revokeToken,
  type SentClient,
} from '../../flow/oauth/token-flow.ts';
import { answerError, answerJson } from '../../http/answer/answer.ts';
import { requireJsonBody, tooLarge } from '../../http/request/body.ts';
import type { Answer, Call, Routed } from '../../http/request/call.ts';
import type { Endpoint } from '../../http/route/endpoint.ts';
import { LIMITS } from '../../limits.ts';
import { areOwnResources, OTHER_RESOURCE } from '../../plan/oauth/authorization-plan.ts';
import {
  type ClientMetadata,
  type OauthRefusal,
  parseClientMetadata,
  refusal,
} from '../../plan/oauth/client-plan.ts';
import type { Database } from '../../postgres/db.ts';
import { databaseOfNobody, type ServiceContext } from '../context.ts';

const FORM_BYTES = 16 * 1024;
const REGISTER = '/oauth/register';

export const TOKEN_ENDPOINTS: readonly Endpoint<ServiceContext>[] = [
  endpoint('POST', '/oauth/token', async (call, db) => {
    const form = await readForm(call);
    return form && answerTokens(call, await giveTokens(call, db, form));
  }),
  endpoint('POST', '/oauth/revoke', async (call, db) => {
    const form = await readForm(call);
    if (form === undefined) return undefined;
    const [client, token] = [clientOf(call, form), form.get('token') ?? ''];
    if ('error' in client) return answerRefusal(call, client);
    if (token === '') return answerRefusal(call, missing('token'));
    const refused = await revokeToken(db, client, token);
    return refused ? answerRefusal(call, refused) : answerJson(call, { status: 200, body: {} });
  }),
  endpoint('POST', REGISTER, async (call, db) => {
    const body = await requireJsonBody(call, {
      ...{ limit: LIMITS.clientDocumentBytes, nodes: 1000, optional: false },
    });
    if (body === undefined) return undefined;
    const metadata = parseClientMetadata(body.value);
    if ('error' in metadata) return answerRefusal(call, metadata);
    const made = await registerClient(db, metadata, call.transport.site().address);
    if ('wait' in made) return answerWait(call, made.wait);
    return answerJson(call, { status: 201, body: presentRegistration(call, made, made.token) });
  }),
  endpoint('GET', `${REGISTER}/{client_id}`, async (call, db, { params }) => {
    const token = bearerOf(call);
    const client = await findRegistration(db, params.client_id ?? '', token);
    if (client === undefined) return answerStranger(call);
    return answerJson(call, { status: 200, body: presentRegistration(call, client, token) });
  }),
  endpoint('DELETE', `${REGISTER}/{client_id}`, async (call, db, { params }) => {
    const client = await findRegistration(db, params.client_id ?? '', bearerOf(call));
    if (client === undefined) return answerStranger(call);
    await endRegistration(db, client.id);
    return answerJson(call, { status: 204, body: undefined });
  }),
];

type Handle = (call: Call, db: Database, routed: Routed) => Promise<Answer | undefined>;

function endpoint(
  method: 'GET' | 'POST' | 'DELETE',
  path: `/${string}`,
  handle: Handle,
): Endpoint<ServiceContext> {
  return {
    ...{ method, path, refuse: answerFailure },
    answer: (call, routed, context) => handle(call, databaseOfNobody(context, call.stats), routed),
  };
}

/**
 * A failure in the form of RFC 6749 §5.2: clients of MCP take another form for the end of the grant, and open the page of
 * consent again.
 */
function answerFailure(call: Call, failure: unknown): Answer {
  const answer = answerError(call, failure);
  const { status, failure: { message } = {} } = answer;
  const code = status === 503 ? 'temporarily_unavailable' : 'server_error';
  const body = refusal(status < 500 ? 'invalid_request' : code, message ?? '');
  return { ...answer, body, text: JSON.stringify(body) };
}

/** A form with each parameter once, but for `resource`; undefined when the client is gone. */
async function readForm(call: Call): Promise<URLSearchParams | undefined> {
  const { headers, transport } = call;
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const isForm = type.trim() === 'application/x-www-form-urlencoded';
  const raw = await transport.readBody({
    limit: isForm ? FORM_BYTES : 0,
    refuse: () => (isForm ? tooLarge(FORM_BYTES) : new ApiError('unsupported_media_type')),
  });
  return raw && new URLSearchParams(raw.toString('utf8'));
}

async function giveTokens(
  call: Call,
  db: Database,
  form: URLSearchParams,
): Promise<IssuedTokens | OauthRefusal> {
  const repeated = [...form.keys()].find(
    (name) => name !== 'resource' && form.getAll(name).length > 1,
  );
  if (repeated !== undefined) return refusal('invalid_request', 'A parameter was sent twice.');
  const client = clientOf(call, form);
  if ('error' in client) return client;
  const { transport } = call;
  const { origin } = transport.site();
  if (!areOwnResources(form.getAll('resource'), origin)) return OTHER_RESOURCE;
  const tokenPlace = { origin, isHostOf: (slug: string) => transport.isHostOf(slug) };
  const value = (name: string) => form.get(name) ?? '';
  if (value('grant_type') === 'authorization_code') {
    const [code, verifier] = [value('code'), value('code_verifier')];
    if (code === '') return missing('code');
    if (verifier === '') return missing('code_verifier');
    const redirect_uri = form.get('redirect_uri') ?? undefined;
    return exchangeCode(db, client, { code, verifier, redirect_uri }, tokenPlace);
  }
  if (value('grant_type') !== 'refresh_token') {
    const words = 'grant_type must be authorization_code or refresh_token.';
    return refusal('unsupported_grant_type', words);
  }
  const token = value('refresh_token');
  return token === '' ? missing('refresh_token') : refreshTokens(db, client, token, tokenPlace);
}

/** The client in the form, or in `Authorization` with Basic (RFC 6749 §2.3.1); not both. */
function clientOf({ headers }: Call, form: URLSearchParams): SentClient | OauthRefusal {
  const basic = /^basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1];
  const [id, secret] = [form.get('client_id') ?? '', form.get('client_secret') ?? undefined];
  if (basic === undefined) return id === '' ? missing('client_id') : { id, secret };
  const [named = '', ...rest] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  const [own, proof] = [unescaped(named), unescaped(rest.join(':'))];
  if (secret === undefined && (id === '' || id === own)) return { id: own, secret: proof };
  return refusal('invalid_request', 'The client was named twice.');
}

/** Clients escape the parts of Basic as in a form, or not at all. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function missing(name: string): OauthRefusal {
  return refusal('invalid_request', `${name} is missing.`);
}

function bearerOf({ headers }: Call): string {
  return /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function presentRegistration(
  { transport }: Call,
  { id, name, redirect_uris, created_at }: Omit<Registration, 'token'> & ClientMetadata,
  token: string,
) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(created_at) / 1000),
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    registration_client_uri: `${transport.site().origin}${REGISTER}/${id}`,
    registration_access_token: token,
  };
}

function answerTokens(call: Call, result: IssuedTokens | OauthRefusal): Answer {
  if ('error' in result) return answerRefusal(call, result);
  return answerJson(call, { status: 200, headers: { Pragma: 'no-cache' }, body: result });
}

function answerRefusal(call: Call, body: OauthRefusal): Answer {
  const isClient = body.error === 'invalid_client';
  const isBasic = isClient && call.headers.authorization !== undefined;
  const headers = isBasic ? { 'WWW-Authenticate': 'Basic realm="records"' } : {};
  return answerJson(call, { status: isClient ? 401 : 400, headers, body });
}

/** For a registration that is not there, or of another client: both alike. */
function answerStranger(call: Call): Answer {
  const body = { error: 'invalid_token', error_description: 'There is no such registration.' };
  return answerJson(call, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, body });
}

function answerWait(call: Call, seconds: number): Answer {
  const error_description = 'Too many clients have registered. Try again later.';
  const body = { error: 'temporarily_unavailable', error_description };
  return answerJson(call, { status: 429, headers: { 'Retry-After': String(seconds) }, body });
}
