// Calls without sockets: the same requests, in the same order, over HTTP to one world and through `invoke`
// to a copy of it are answered the same: status, headers and body.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { loadMemberByEmail } from '../../src/control/people/people.ts';
import { loadModel } from '../../src/control/workspace/workspaces.ts';
import { LIMITS } from '../../src/limits.ts';
import { callerOf } from '../../src/model/rights/access.ts';
import { openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';
import { MAIL_SETTINGS } from '../mail/mailer.ts';
import { GATED_ACME, openWorldWith, type World } from '../world.ts';
import { filledCall, savedFrom } from './invoke-saved.ts';
import { KEYS, OPERATOR_KEY, SESSIONS, STEPS, type Step } from './invoke-steps.ts';

let overHttp: Side;
let invoked: Side;
beforeAll(async () => {
  [overHttp, invoked] = await Promise.all([openSide(), openSide()]);
});
afterAll(() => Promise.all([overHttp?.world.close(), invoked?.world.close()]));

/** A world with keys of the same names, and the saved values of its answers so far. */
interface Side {
  readonly world: World;
  readonly secrets: Readonly<Record<string, string>>;
  readonly saved: Map<string, string>;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every form
  readonly body: any;
}

async function openSide(): Promise<Side> {
  const world = await openWorldWith(GATED_ACME, { OPERATOR_KEY, OAUTH: 'on', ...MAIL_SETTINGS });
  const secrets: Record<string, string> = {};
  for (const [name, { person, ...options }] of Object.entries(KEYS)) {
    secrets[name] = (await world.key(person, options)).secret;
  }
  for (const [name, person] of Object.entries(SESSIONS)) {
    const { secret, sessionId } = await world.inSession(person);
    secrets[name] = secret;
    if (name !== 'stale') continue;
    const text = "update workspace_records.sessions set created_at = now() - interval '1 hour'";
    await world.database.rows(`${text} where id = $1`, [sessionId]);
  }
  return { world, secrets, saved: new Map() };
}

const fillIn = ({ call }: Step, { saved, secrets }: Side) =>
  filledCall(call, (name) => secrets[name] ?? saved.get(name) ?? `no ${name}`);

function routeOf({ route }: Pick<Step, 'route'>) {
  const found = ROUTES.find(({ operationId }) => operationId === route);
  if (found === undefined) throw new Error(`there is no ${route}`);
  return found;
}

async function sendOverHttp(side: Side, step: Step): Promise<Answered> {
  const { params = {}, query = '', headers = {}, body } = fillIn(step, side);
  const { method, path } = routeOf(step);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const target = `/v1${filled}${query === '' ? '' : `?${String(query)}`}`;
  const owner = 'authorization' in headers ? {} : { owner: side.secrets.inPage as string };
  // Calls from inside the process come from this host.
  const sent = { host: 'localhost', ...headers };
  const answer = await call(side.world.port, target, { method, headers: sent, body, ...owner });
  return { status: answer.status, headers: answer.headers, body: answer.json };
}

async function sendByInvoke(side: Side, step: Step): Promise<Answered> {
  const answer = await side.world.invoke(routeOf(step), fillIn(step, side));
  if ('start' in answer) throw new Error('an answer of JSON was expected');
  // As a client would read it: undefined properties are absent.
  const body = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
  return { ...answer, body };
}

/** Added by the socket. */
const OF_TRANSPORT = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'];

/** Without what differs between two worlds that did the same: ids, times, digests, signatures. */
function comparable({ status, headers, body }: Answered): string {
  const kept = Object.entries(headers).filter(([name]) => !OF_TRANSPORT.includes(name));
  const numbers = new Map<string, number>();
  const numbered = (id: string) => {
    numbers.set(id, numbers.get(id) ?? numbers.size);
    return `id ${numbers.get(id)}`;
  };
  return JSON.stringify({ status, headers: Object.fromEntries(kept.sort()), body }, undefined, 1)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/wrs_[poc]_\w{38}/g, 'a secret')
    .replaceAll(/wrs_[poc]_\w{6}/g, 'a prefix')
    .replaceAll(/http:\/\/[\w.:]+(\/v1\/calendar\/)/g, 'here$1')
    .replaceAll(/("set-cookie": )(?:"([^"]*)"|\[\s*"([^"]*)"\s*\])/g, '$1"$2$3"')
    .replaceAll(/(wrs-\d=)[\w-]{43}/g, '$1a token')
    .replaceAll(/http:\/\/[\w.:]+(\/app\/[\w/-]+#)[\w-]{43}/g, 'here$1a token')
    .replaceAll(/("(?:next_cursor|version|last_event_id|changes_cursor)": )"[^"]+"/g, '$1"sealed"')
    .replaceAll(/("(?:challenge|secret|uri|qr_svg)": )"(?:[^"\\]|\\.)+"/g, '$1"random"')
    .replaceAll(/("id": )"[\w-]{22}"/g, '$1"a handle"')
    .replaceAll(/"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}"/g, '"a recovery code"')
    .replaceAll(/client_[\w-]{22}/g, 'a client')
    .replaceAll(/\b(code|iss)=[^"&]+/g, '$1=here')
    .replaceAll(/("digest": )"[^"]+"/g, '$1"a digest"')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_…')
    .replaceAll(/("etag": )"\\"[^"]+\\""/g, '$1"a tag"')
    .replaceAll(/("(?:x-)?ratelimit-reset": )"\d+"/g, '$1"soon"')
    .replaceAll(/("retry-after": )"\d+"/g, '$1"soon"');
}

/** In another minute the number of earlier requests is unknown. */
function countless(answered: Answered): string {
  return comparable(answered).replaceAll(/("(?:x-)?ratelimit-remaining": )"\d+"/g, '$1"some"');
}

let firstMinute: unknown;

function isFirstMinute({ 'x-ratelimit-reset': reset }: Answered['headers']): boolean {
  firstMinute ??= reset;
  return reset === undefined || reset === firstMinute;
}

const statuses = new Map<string, Set<number>>();
const codes = new Set<string>();

/** The answer; a key that has to be used up is so in the minute of the answer. */
async function answerOf(step: Step, send: (step: Step) => Promise<Answered>): Promise<Answered> {
  if (step.status !== 429) return send(step);
  for (;;) {
    const { headers } = await send(step);
    const answered = await send(step);
    const minutes = [headers, answered.headers].map((own) => own['x-ratelimit-reset']);
    if (minutes[0] === minutes[1]) return answered;
  }
}

test.each(STEPS.map((step) => [step.name, step] as const))('%s', async (_, step) => {
  const http = await answerOf(step, (own) => sendOverHttp(overHttp, own));
  const direct = await answerOf(step, (own) => sendByInvoke(invoked, own));
  const isSameMinute = [http, direct].every(({ headers }) => isFirstMinute(headers));
  const shown = isSameMinute ? comparable : countless;
  expect(shown(direct)).toBe(shown(http));
  expect(http.status, JSON.stringify(http.body)).toBe(step.status);
  for (const [name, value] of savedFrom(step.save, http)) overHttp.saved.set(name, value);
  for (const [name, value] of savedFrom(step.save, direct)) invoked.saved.set(name, value);
  statuses.set(step.route, (statuses.get(step.route) ?? new Set()).add(http.status));
  if (http.status >= 400) codes.add(http.body.error.code);
});

test('every route but the streams succeeded, and every code of the routes was answered', () => {
  expect(STEPS.length).toBeGreaterThan(100);
  for (const { operationId, status, events, givesFile, errors } of ROUTES) {
    if (events === true || givesFile !== undefined) continue;
    // They need a receiver: test/api/webhooks.test.ts.
    if (operationId === 'testWebhook' || operationId === 'replayWebhookDelivery') continue;
    // They need an authenticator: test/api/second-factor.test.ts.
    if (/^(?:create|update|delete)Passkey$/.test(operationId)) continue;
    // The redirects to an identity provider and back are for test/api/sign-in-oidc.full.test.ts.
    const wanted = status === 303 ? 401 : status;
    expect(statuses.get(operationId)?.has(wanted), operationId).toBe(true);
    // The number of waiting requests is for test/api/job-waits.full.test.ts.
    const given = errors.filter((code) => code !== 'too_many_streams');
    for (const code of given) expect(codes, `${operationId}: ${code}`).toContain(code);
  }
  for (const code of ['missing_api_key', 'invalid_api_key', 'insufficient_scope', 'rate_limited']) {
    expect(codes).toContain(code);
  }
});

describe('streams', () => {
  const route = ROUTES.find(({ events }) => events === true) as (typeof ROUTES)[number];

  test('begin alike, and are counted together', async () => {
    const { world, secrets } = invoked;
    const secret = secrets.ada as string;
    const client = await openEvents({ port: world.port, secret });
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await world.invoke(route, { headers });
    if (!('start' in answer)) throw new Error('a stream was expected');
    const http = { status: client.status, headers: client.headers, body: undefined };
    const stripped = (one: Answered) =>
      comparable(one).replaceAll(/("(?:x-)?ratelimit-remaining": )"\d+"/g, '$1"some"');
    expect(stripped({ ...answer, body: undefined })).toBe(stripped(http));
    const written: string[] = [];
    const closed: (() => void)[] = [];
    let isOpen = true;
    answer.start({
      isOpen: () => isOpen,
      hasRoom: () => true,
      write: (text) => void written.push(String(text)),
      drained: async () => undefined,
      end: () => undefined,
      fail: () => undefined,
      onClose: (handler) => void closed.push(handler),
    });
    expect(written.join('')).toMatch(/^retry: 1000\nid: \S+\n\n$/);
    const reserved = [];
    for (let count = 2; count < LIMITS.eventStreamsOfKey; count += 1) {
      reserved.push(await world.invoke(route, { headers }));
    }
    const refused = await world.invoke(route, { headers });
    expect(refused.status).toBe(429);
    for (const one of reserved) if ('discard' in one) one.discard();
    const again = await world.invoke(route, { headers });
    expect(again.status).toBe(200);
    if ('discard' in again) again.discard();
    isOpen = false;
    for (const handler of closed) handler();
    client.close();
  });
});

test('text that has no UTF-8 is refused, in a query by its name', async () => {
  const { world, secrets } = invoked;
  const headers = { authorization: `Bearer ${secrets.ada}` };
  const text = 'a\ud800';
  const params = { object_type: 'companies' };
  const list = { params, query: { q: text }, headers };
  expect(await world.invoke(routeOf({ route: 'listRecords' }), list)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_failed', param: 'q' } },
  });
  const get = { params: { ...params, record_id: text }, headers };
  expect(await world.invoke(routeOf({ route: 'getRecord' }), get)).toMatchObject({
    status: 404,
    body: { error: { code: 'record_not_found' } },
  });
});

describe('a caller that is given', () => {
  test('needs no key, is not limited, and does what their roles allow', async () => {
    const { database, invoke } = invoked.world;
    const [row] = await database.rows(
      "select id from workspace_records.workspaces where slug = 'acme'",
    );
    const model = await loadModel(database.db, Number(row?.id));
    const member =
      model && (await loadMemberByEmail(database.db, model.schema, 'rob@acme.example'));
    if (model === undefined || member === undefined) throw new Error('there is no Rob');
    const caller = () => ({ model, caller: callerOf(model, member, { kind: 'import' }) });
    const routeNamed = (name: string) =>
      ROUTES.find(({ operationId }) => operationId === name) as (typeof ROUTES)[number];
    const companies = { object_type: 'companies' };
    const read = await invoke(routeNamed('listRecords'), { params: companies, caller });
    expect([read.status, read.headers['ratelimit-limit']]).toEqual([200, undefined]);
    const body = { fields: { name: 'Not his' } };
    const write = await invoke(routeNamed('createRecord'), { params: companies, body, caller });
    expect([write.status, (write as Answered).body.error.code]).toEqual([403, 'permission_denied']);
  });

  test('repeats a call for running work, and refuses with the code that it gets', async () => {
    const { invoke } = invoked.world;
    const me = ROUTES.find(({ operationId }) => operationId === 'getMe');
    if (me === undefined) throw new Error('there is no /me');
    const caller = () => Promise.reject(new Error('nobody knows'));
    expect((await invoke(me, { caller })).status).toBe(500);
  });
});
