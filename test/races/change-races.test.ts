// Writers while the ground under them changes: rights are taken away, another definition is put in
// force. Each write is made under one definition, before the change or after it, never in between.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { isOperatorError } from '../../src/errors.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { expectNoCanary } from '../access/canary.ts';
import type { Answer, Client } from '../client.ts';
import { lacks } from '../own-database.ts';
import { IS_LONG, until } from '../until.ts';
import { ACME, openWorld, type World } from '../world.ts';
import { PATIENCE, ROUNDS, requireInvariants, rounds } from './racing.ts';

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});

afterAll(() => world?.close());

const rows = (text: string, values?: readonly unknown[]) =>
  world.database.rows(text.replaceAll(/\bs\./g, '"ws_acme".'), values);

afterEach(async () => {
  const found = await rows(
    `select tablename from pg_tables where schemaname = 'ws_acme' and tablename !~ '^_'`,
  );
  const tables = found.map(({ tablename }) => [String(tablename), String(tablename)] as const);
  await requireInvariants({ rows, tables });
});

async function newDeal(fields: object = {}): Promise<string> {
  const { status, body } = await ada.post('/objects/deals/records', {
    fields: { name: 'n', ...fields },
  });
  expect(status).toBe(201);
  return body.data.id;
}

test.skipIf(lacks('triggers'))(
  'rights that are taken away: a write is made and noted, or refused without a trace',
  async () => {
    const rob = await world.as('rob');
    const { body } = await rob.post('/objects/deals/records', { fields: { name: 'n' } });
    const path = `/objects/deals/records/${body.data.id}`;
    const setRoles = (roles: readonly string[]) =>
      rows('update s._users set roles = $2 where id = $1', [world.users.rob, roles]);
    await rounds(async (round) => {
      const write = (index: number) => rob.patch(path, { fields: { name: `${round} ${index}` } });
      const answers: Answer[] = [];
      const revoked = new AbortController();
      const writing = [0, 1, 2, 3].map(async (client) => {
        for (let index = client; !revoked.signal.aborted; index += 4)
          answers.push(await write(index));
      });
      const lost = round % 2 === 0 ? ['blind'] : [];
      await setRoles(lost);
      await until(async () => (await write(-1)).status !== 200);
      revoked.abort();
      await Promise.all(writing);
      const requestIds = answers.map(({ headers }) => headers.get('x-request-id'));
      const noted = await rows(
        `select request_id as id, count(*)::integer as times from s._audit
          where request_id = any($1) group by 1`,
        [requestIds],
      );
      const times = new Map(noted.map(({ id, times }) => [id, times]));
      for (const [index, { status }] of answers.entries()) {
        expect([200, 403, 404]).toContain(status);
        expect(times.get(requestIds[index]) ?? 0).toBe(status === 200 ? 1 : 0);
      }
      await setRoles(['rep']);
      await until(async () => (await write(-2)).status === 200);
    }, 0.1);
  },
  PATIENCE,
);

/** Changes of the definition, and how many records there are that it has no place for. */
const CHANGES: readonly {
  readonly patch: object;
  readonly allowDrop?: readonly string[];
  /** Counts what may not become more once the change is in force. */
  readonly broken: string;
}[] = [
  {
    patch: { objects: { deals: { fields: { tags: { options: [{ value: 'new' }] } } } } },
    broken: `select count(*) from s.deals where 'hot' = any(tags)`,
  },
  {
    patch: { objects: { deals: { fields: { secret: null } } }, ...withoutSecret() },
    allowDrop: ['deals.secret'],
    broken: `select count(*) from s._audit where 'secret' = any(changed_fields)`,
  },
  {
    patch: { objects: { deals: { fields: { extra: { type: 'text', required: true } } } } },
    broken: `select count(*) from s._audit where action = 'create' and object_type = 'deals'
      and not 'extra' = any(changed_fields)`,
  },
  {
    patch: {
      workflows: { pipeline: { statuses: { open: { transitions: ['lost'] } } } },
    },
    broken: `select count(*) from s.deals where status = 'won'`,
  },
  {
    patch: { objects: { deals: { fields: { amount: { minimum: 100 } } } } },
    broken: `select count(*) from s.deals where amount < 100`,
  },
];

function withoutSecret(): object {
  return { roles: { rep: { objects: { deals: { fields: { secret: null } } } } } };
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

type Send = (method: string, path: string, body: unknown) => Promise<Sent>;

/** Answers while the definition changes are not checked against the document of one definition. */
function sender(secret: string): Send {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const url = `http://127.0.0.1:${world.port}/v1${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    expectNoCanary(secret, text);
    return { status: answer.status, text };
  };
}

/** The writes that clients try all the time; each is refused under one of the definitions. */
async function writeOnce(send: Send, deals: readonly string[], turn: number): Promise<Sent> {
  const path = '/objects/deals/records';
  const deal = `${path}/${deals[Math.floor(Math.random() * deals.length)]}`;
  const text = `${turn} ${Math.random()}`;
  switch (turn % 7) {
    case 0:
      return send('PATCH', deal, { fields: { tags: turn % 2 === 0 ? ['hot'] : null } });
    case 1:
      return send('PATCH', deal, { fields: { secret: text } });
    case 2:
      return send('POST', path, { fields: { name: text, amount: 5 } });
    case 3:
      return send('POST', path, { fields: { name: text, extra: text, amount: 500 } });
    case 4:
      return send('POST', `${deal}/status`, { status_id: turn % 2 === 0 ? 'won' : 'lost' });
    case 5:
      return send('POST', `${deal}/status`, { status_id: 'open' });
    default:
      return send('POST', `${path}/batch`, {
        operations: [
          { action: 'create', fields: { name: text, secret: text, amount: 5 } },
          {
            action: 'update',
            id: deal.slice(path.length + 1),
            fields: { closes_on: '2026-01-01' },
          },
        ],
      });
  }
}

test(
  'a definition that changes: each write is validated by the one in force when it is made',
  async () => {
    const deals = await Promise.all(Array.from({ length: 12 }, () => newDeal()));
    const senders = Array.from({ length: 6 }, () => sender(ada.secret));
    const counts = new Map<number, number>();
    const over = new AbortController();
    const writing = senders.map(async (send, client) => {
      for (let turn = client; !over.signal.aborted; turn += 1) {
        const { status, text } = await writeOnce(send, deals, turn);
        counts.set(status, (counts.get(status) ?? 0) + 1);
        expect([200, 201, 400, 403, 409, 422, 503], text).toContain(status);
      }
    });
    let applied = 0;
    const changing = rounds(async (round) => {
      const change = CHANGES[round % CHANGES.length] as (typeof CHANGES)[number];
      if (await applyOrRefuse(mergePatch(ACME, change.patch), change.allowDrop)) {
        applied += 1;
        const count = async () => Number((await rows(change.broken))[0]?.count);
        const broken = await count();
        if (round % CHANGES.length === 0) expect(broken).toBe(0);
        await sleep(20);
        expect(await count(), `after ${JSON.stringify(change.patch)}`).toBe(broken);
      }
      await rows(`update s.deals set tags = null where 'hot' = any(tags)`);
      await applyOrRefuse(ACME, ['deals.extra']);
    }, 0.4).finally(() => over.abort());
    await Promise.all([changing, ...writing]);
    expect(applied).toBeGreaterThan(ROUNDS * 0.1);
    for (const status of [200, 201, 400, 422]) expect(counts.get(status)).toBeGreaterThan(0);
    if (IS_LONG) console.log(applied, counts);
  },
  PATIENCE,
);

/** False when data blocks it: writers may have been faster. */
async function applyOrRefuse(
  document: unknown,
  allowDrop: readonly string[] = [],
): Promise<boolean> {
  try {
    await applyDefinition(world.database.db, 'acme', document, { allowDrop });
    return true;
  } catch (error) {
    if (isOperatorError(error)) return false;
    throw error;
  }
}
