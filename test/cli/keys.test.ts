// `keys create`, `keys list`, `keys revoke`.

import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addKeysCommand, parseExpiry } from '../../src/cli/commands/keys.ts';
import { hashOf, isSecret, makeSecret } from '../../src/model/rights/api-key-form.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';

let fixture: ServerFixture;
let port: number;

beforeAll(async () => {
  fixture = await openServerFixture();
  ({ port } = await fixture.start());
  for (const [name, value] of Object.entries(fixture.own.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

/** Run a command; returns its output. */
async function keys(...args: readonly string[]): Promise<{ out: string; err: string }> {
  const written = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.err += text;
    return true;
  });
  const program = new Command().exitOverride();
  addKeysCommand(program);
  try {
    await program.parseAsync(['keys', ...args], { from: 'user' });
  } finally {
    vi.restoreAllMocks();
  }
  return written;
}

const of = (email: string) => ['--workspace', 'acme', '--user', email, '--name', 'Test'];

test('a new key works, is listed without its secret, and ends when revoked', async () => {
  const options = ['--scopes', 'users:read', '--type', 'personal'];
  const { out } = await keys('create', ...of('bob@example.com'), ...options);
  const secret = out.trim();
  expect(secret).toMatch(/^wrs_p_[0-9A-Za-z]{38}$/);
  const me = await call(port, '/v1/me', { key: secret });
  expect(me.json.data.principal.scopes).toEqual(['users:read']);
  const listed = JSON.parse((await keys('list', '--workspace', 'acme', '--json')).out);
  const [key] = listed;
  expect(key).toMatchObject({ prefix: secret.slice(0, 12), user: 'bob@example.com' });
  expect(JSON.stringify(listed)).not.toContain(secret);
  const [stored] = await fixture.own.rows('select * from workspace_records.api_keys');
  expect(stored?.secret_hash).toEqual(hashOf(secret));
  expect(JSON.stringify(stored)).not.toContain(secret.slice(12));
  expect(key.last_used_at).toMatch(/:00(\.000)?Z$/);
  await keys('revoke', key.id, '--workspace', 'acme');
  const audit = await fixture.own.rows(
    `select source, user_id, subject_type, subject_id, action from ws_acme._audit order by id`,
  );
  const row = { source: 'cli', user_id: null, subject_type: 'key', subject_id: key.id };
  expect(audit).toEqual([
    { ...row, action: 'create' },
    { ...row, action: 'revoke' },
  ]);
  await vi.waitFor(async () => {
    expect((await call(port, '/v1/me', { key: secret })).status).toBe(401);
  }, 60_000);
  await expect(keys('revoke', key.id, '--workspace', 'acme')).rejects.toThrow('no active key');
});

test('agents get operational keys; limits and expiry are kept', async () => {
  const more = ['--rpm', '5', '--expires', '30d', '--json', '--scopes', 'none'];
  const { out } = await keys('create', ...of('BOT@example.com'), ...more);
  const { secret, expires_at, ...rest } = JSON.parse(out);
  expect(secret).toMatch(/^wrs_o_/);
  expect(rest).toMatchObject({ type: 'operational', scopes: [], requests_per_minute: 5 });
  const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(30, 2);
});

test('someone without developer access gets a key and the operator a note', async () => {
  const { err } = await keys('create', ...of('vic@example.com'));
  expect(err).toContain('no role with developer access');
});

test.each([
  [of('nobody@example.com'), 'There is no user "nobody@example.com" in the workspace "acme".'],
  [['--workspace', 'x', '--user', 'a@b', '--name', 'n'], 'There is no workspace "x"'],
  [[...of('bob@example.com'), '--scopes', 'records:read,x'], 'There is no scope "x"'],
  [[...of('bob@example.com'), '--rpm', '0'], '--rpm must be a whole number'],
  [[...of('bob@example.com'), '--expires', 'soon'], '--expires must be a time in the future'],
  [[...of('bob@example.com'), '--expires', '2001-01-01'], '--expires must be a time in the future'],
  [[...of('bob@example.com'), '--type', 'operational'], 'is personal, not operational'],
])('create %j', async (args, message) => {
  await expect(keys('create', ...args)).rejects.toThrow(message);
});

test.each(['\u001b[2J', 'two\nlines', '\u009b', '\u2028', '', 'x'.repeat(201)])(
  'the name %j',
  async (name) => {
    const args = ['--workspace', 'acme', '--user', 'bob@example.com', '--name', name];
    await expect(keys('create', ...args)).rejects.toThrow(
      'A name has 1 to 200 characters, none of',
    );
  },
);

test('a list marks inactive people, and prints no control character of a name', async () => {
  await keys('create', ...of('bob@example.com'));
  await fixture.own.rows(
    `update workspace_records.api_keys set name = $1 where revoked_at is null and type = 'personal'`,
    ['a\u001b[31mb\nc\u009bd\u202ee 😀'],
  );
  await fixture.own.rows(
    `update ws_acme._users set active = false where email = 'bob@example.com'`,
  );
  try {
    const { out } = await keys('list', '-w', 'acme');
    const line = out.split('\n').find((text) => text.includes('bob@example.com  a'));
    expect(line).toMatch(
      / {2}a\\u001b\[31mb\\u000ac\\u009bd\\u202ee 😀 {2}refused: the person is inactive {2}never used$/u,
    );
    const json = (await keys('list', '-w', 'acme', '--json')).out;
    for (const unsafe of ['\u001b', '\u009b', '\u202e']) expect(json).not.toContain(unsafe);
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({ name: 'a\u001b[31mb\nc\u009bd\u202ee 😀', user_active: false }),
    );
  } finally {
    await fixture.own.rows(
      `update ws_acme._users set active = true where email = 'bob@example.com'`,
    );
  }
});

test('a list shows until when a key is good, and which are over', async () => {
  const make = async (...more: readonly string[]) => {
    const { out } = await keys('create', ...of('bot@example.com'), '--json', ...more);
    return JSON.parse(out);
  };
  const [endless, later, over, revoked] = [
    await make(),
    await make('--expires', '30d'),
    await make('--expires', '30d'),
    await make(),
  ];
  const expire = 'update workspace_records.api_keys set expires_at = now() where id = $1';
  await fixture.own.rows(expire, [over.id]);
  await keys('revoke', revoked.id, '-w', 'acme');
  const lines = (await keys('list', '-w', 'acme')).out.split('\n');
  const stateOf = ({ id }: { readonly id: string }) =>
    lines.find((line) => line.includes(id))?.split('  ')[5];
  expect([endless, later, over, revoked].map(stateOf)).toEqual([
    ...['in force', `until ${later.expires_at}`, 'expired', 'revoked'],
  ]);
});

test('times and durations', () => {
  expect(parseExpiry(undefined)).toBeNull();
  expect(parseExpiry('45m')).toBe(2700);
  expect(parseExpiry('12h')).toBe(43_200);
  expect(parseExpiry('2999-01-31')).toBe('2999-01-31T00:00:00.000Z');
  expect(parseExpiry('2999-01-31T10:00:00+02:00')).toBe('2999-01-31T08:00:00.000Z');
});

test('secrets: every one-character change fails the checksum', () => {
  const secret = makeSecret('personal');
  expect(isSecret(secret)).toBe(true);
  for (let index = 0; index < secret.length; index += 1) {
    const other = secret[index] === 'x' ? 'y' : 'x';
    expect(isSecret(secret.slice(0, index) + other + secret.slice(index + 1))).toBe(false);
  }
  expect(new Set(Array.from({ length: 1000 }, () => makeSecret('operational'))).size).toBe(1000);
});
