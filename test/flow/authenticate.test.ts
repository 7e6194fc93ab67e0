// What a process keeps of a key, for how long, and when it lets go (D14, D80). The database is a stub
// that counts; the statements themselves run in the tests of the door.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openAuthenticator } from '../../src/flow/authenticate.ts';
import { hashOf, makeSecret } from '../../src/model/api-key-form.ts';
import { compileModel } from '../../src/model/compile.ts';
import type { Database } from '../../src/store/db.ts';

const secret = makeSecret('personal');
const roles = { member: { name: 'Member', developer: true } };

function modelOf(revision: number) {
  const workspace = {
    id: 1,
    slug: 'acme',
    name: 'Acme',
    schema: 'w',
    cursor_secret: Buffer.alloc(32),
  };
  return compileModel({ ...workspace, revision }, { objects: {}, roles });
}

let rows: Record<string, unknown>[];
let member: Record<string, unknown>;
let queries: number;
let answer: () => Promise<void>;

const db = {
  async query({ text }: { text: string }) {
    queries += 1;
    const found = text.includes('api_keys') ? rows : [member];
    await answer();
    return found;
  },
} as unknown as Database;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  queries = 0;
  answer = async () => undefined;
  member = {
    id: 7,
    name: 'Bob',
    active: true,
    roles: ['member'],
    team_ids: [],
    colleague_ids: [7],
  };
  rows = [
    {
      secret_hash: hashOf(secret),
      id: 'k1',
      workspace_id: 1,
      schema_name: 'w',
      revision: 1,
      user_id: 7,
      scopes: ['users:read'],
      requests_per_minute: null,
      expires_at: null,
      expires_in: null,
      revoked: false,
    },
  ];
  return () => vi.useRealTimers();
});

function open(models = [modelOf(1)]) {
  let forgotten = 0;
  const registry = {
    model: async () => models[Math.min(forgotten, models.length - 1)] ?? modelOf(1),
    forget: () => {
      forgotten += 1;
    },
  };
  return openAuthenticator({ db, registry, requestsPerMinute: 300 });
}

const code = async (found: unknown) =>
  Promise.resolve(found).then(
    () => 'ok',
    (error) => error.code,
  );

describe('what is kept', () => {
  test('less than a second, then it is looked up again', async () => {
    const authenticator = open();
    const first = await authenticator.authenticate(secret);
    expect(first.apiKey.requests_per_minute).toBe(300);
    expect(authenticator.authenticate(secret)).toBe(first);
    expect(queries).toBe(2);
    vi.advanceTimersByTime(899);
    expect(authenticator.authenticate(secret)).toBe(first);
    vi.advanceTimersByTime(2);
    member = { ...member, active: false };
    expect(await code(authenticator.authenticate(secret))).toBe('invalid_api_key');
  });

  test('not beyond the expiry of the key', async () => {
    const authenticator = open();
    rows = rows.map((row) => ({ ...row, expires_in: 100 }));
    expect(await code(authenticator.authenticate(secret))).toBe('ok');
    vi.advanceTimersByTime(101);
    rows = rows.map((row) => ({ ...row, expires_in: -1 }));
    expect(await code(authenticator.authenticate(secret))).toBe('api_key_expired');
  });

  test('refusals are kept too', async () => {
    const authenticator = open();
    rows = [];
    expect(await code(authenticator.authenticate(secret))).toBe('invalid_api_key');
    expect(() => authenticator.authenticate(secret)).toThrow('not valid');
    expect(queries).toBe(1);
  });

  test('not what was forgotten while it was loaded', async () => {
    const authenticator = open();
    let release = () => {};
    answer = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const loading = authenticator.authenticate(secret);
    await vi.waitFor(() => expect(queries).toBe(1));
    authenticator.forget({ keyId: 'k1' });
    answer = async () => undefined;
    release();
    expect(await code(loading)).toBe('ok');
    rows = rows.map((row) => ({ ...row, revoked: true }));
    expect(await code(authenticator.authenticate(secret))).toBe('invalid_api_key');
  });
});

test('forgetting is by key or by workspace', async () => {
  const authenticator = open();
  await authenticator.authenticate(secret);
  authenticator.forget({ keyId: 'other' });
  authenticator.forget({ workspaceId: 2 });
  await authenticator.authenticate(secret);
  expect(queries).toBe(2);
  authenticator.forget({ workspaceId: 1 });
  await authenticator.authenticate(secret);
  expect(queries).toBe(4);
});

test('a model older than the revision in force is loaded again', async () => {
  rows = rows.map((row) => ({ ...row, revision: 2 }));
  const holder = await open([modelOf(1), modelOf(2)]).authenticate(secret);
  expect(holder.model.revision).toBe(2);
});

test('what is no secret is refused without a look', () => {
  expect(() => open().authenticate(`${secret.slice(0, -1)}!`)).toThrow('not valid');
  expect(queries).toBe(0);
});
