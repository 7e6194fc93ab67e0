// The service behind PgBouncer in transaction mode: no session keeps anything, so requests of two
// workspaces may share its few connections, and a pooler that is restarted is only a pause. Skipped on
// machines without PgBouncer.

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { assembleService } from '../../src/cli/service/assemble.ts';
import { readConfig } from '../../src/config.ts';
import type { RunningServer } from '../../src/http/socket/server.ts';
import { type Connections, openConnections } from '../../src/postgres/connections.ts';
import { type Client, openClient } from '../client.ts';
import { timesOf } from '../until.ts';
import { CANARY, openWorld, type World } from '../world.ts';
import { makePooler, PGBOUNCER, type Pooler } from './pooler.ts';

let world: World;
let pooler: Pooler;
let connections: Connections;
let server: RunningServer;
let port: number;
let secret: string;
let clients: { readonly acme: Client; readonly globex: Client };

describe.skipIf(PGBOUNCER === undefined)('behind PgBouncer', () => {
  beforeAll(async () => {
    world = await openWorld();
    pooler = makePooler(world.database.connection);
    await pooler.start();
    connections = openConnections({
      connection: pooler.connection,
      poolSize: 12,
      statementTimeout: 5000,
      pooled: true,
    });
    const config = readConfig({ REQUESTS_PER_MINUTE: '100000' });
    server = await assembleService({
      ...connections,
      config,
      logger: pino({ level: 'silent' }),
    });
    port = await server.listen({ host: '127.0.0.1', port: 0 });
    const keyOf = async (email: string, workspace: 'acme' | 'globex') =>
      openClient({ port, secret: (await world.key(email, { workspace })).secret });
    clients = { acme: await keyOf('ada', 'acme'), globex: await keyOf('ada', 'globex') };
    ({ secret } = await world.key('ada'));
  });

  afterAll(async () => {
    await server?.close();
    await connections?.close();
    await pooler?.remove();
    await world?.close();
  });

  const count = async (client: Client) => {
    const metrics = [{ name: 'n', op: 'count' }];
    const { body } = await client.post('/objects/companies/records/aggregate', { metrics });
    return body.data[0].n as number;
  };

  test('alternating requests of two workspaces never meet', async () => {
    const made = { acme: await count(clients.acme), globex: await count(clients.globex) };
    const rounds = Array.from({ length: timesOf(100) }, (_, round) => async () => {
      const [name, client] =
        round % 2 === 0 ? (['acme', clients.acme] as const) : (['globex', clients.globex] as const);
      const text = name === 'globex' ? `${CANARY} ${round}` : `Company ${round}`;
      const headers = round % 4 < 2 ? { 'Idempotency-Key': `round-${round}` } : {};
      const created = await client.post(
        '/objects/companies/records',
        { fields: { name: text } },
        headers,
      );
      expect([created.status, JSON.stringify(created.body)]).toEqual([201, expect.any(String)]);
      made[name] += 1;
      const { id } = created.body.data;
      const patched = await client.patch(`/objects/companies/records/${id}`, {
        fields: { name: `${text}!` },
      });
      expect(patched.status).toBe(200);
      const listed = await client.get('/objects/companies/records?limit=5&fields=name');
      expect(JSON.stringify(listed.body).includes(CANARY)).toBe(name === 'globex');
    });
    const sending = Array.from({ length: 24 }, async () => {
      for (let next = rounds.pop(); next !== undefined; next = rounds.pop()) await next();
    });
    await Promise.all(sending);
    expect({ acme: await count(clients.acme), globex: await count(clients.globex) }).toEqual(made);
  });

  test('no notification arrives, and the process that makes a change has it at once', async () => {
    const rob = openClient({ port, secret: (await world.key('rob')).secret });
    const seen = async () => (await rob.get('/users')).body.data.length;
    // The clock stands still, so cached data does not get old.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      expect(await seen()).toBe(1);
      const roles = { roles: ['manager', 'rep'] };
      expect((await clients.acme.patch(`/users/${world.users.rob}`, roles)).status).toBe(200);
      expect(await seen()).toBeGreaterThan(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a pooler that is restarted is a pause', async () => {
    const statusOf = async () => {
      const headers = { Authorization: `Bearer ${secret}` };
      return (await fetch(`http://127.0.0.1:${port}/v1/objects/companies/records`, { headers }))
        .status;
    };
    await pooler.stop();
    expect(await statusOf()).toBe(503);
    await pooler.start();
    const isBack = async () => expect(await statusOf()).toBe(200);
    await vi.waitFor(isBack, { timeout: 60_000, interval: 50 });
  });
});
