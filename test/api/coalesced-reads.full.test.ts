// Records and pages that are requested at the same time: few statements, and every client still gets the records they
// may see, only those and none older than that.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { sendRaw } from '../http-client.ts';
import { watchStatements } from '../watch-statements.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal } = cast;

describe('gets at the same time', () => {
  test('each gets its own record, the missing and malformed ones 404, with few statements', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, number) => deal(cast.rob, { name: `Gathered ${number}` })),
    );
    const get = (id: string) => cast.rob.get(`/objects/deals/records/${id}`);
    await get(made[0]?.id as string);
    const watch = watchStatements(cast.world.database, /(?:from|join) "ws_acme"\."deals"/);
    const wrong = ['00000000-0000-7000-8000-000000000000', 'no-such-id'];
    const ids = [...made, ...made].map(({ id }) => id as string);
    const answers = await Promise.all([...ids, ...wrong].map(get));
    watch.stop();
    expect(watch.statements.length).toBeGreaterThan(0);
    expect(watch.statements.length).toBeLessThan(ids.length);
    expect(answers.slice(0, -2).map(({ body }) => body.data?.id)).toEqual(ids);
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.headers.get('etag')).toContain(`"${answers[0]?.body.data.version}.`);
  });

  test('people with other rights do not share answers', async () => {
    const robs = await deal(cast.rob, { name: 'Shared rob' });
    const sams = await deal(cast.sam, { name: 'Shared sam' });
    const ask = (client: Client, id: string) => client.get(`/objects/deals/records/${id}`);
    const asked = Array.from({ length: 10 }, () => [
      ...[cast.rob, cast.ada].map((client) => ask(client, robs.id)),
      ...[cast.rob, cast.ada].map((client) => ask(client, sams.id)),
    ]);
    for (const [own, ofAda, foreign, seen] of await Promise.all(
      asked.map((answers) => Promise.all(answers)),
    )) {
      expect([own?.status, ofAda?.status, foreign?.status, seen?.status]).toEqual([
        200, 200, 404, 200,
      ]);
      expect(own?.body.data.fields).not.toHaveProperty('secret');
      expect(ofAda?.body.data.fields).toHaveProperty('secret');
    }
  });

  test('fields of one request are not those of another', async () => {
    const { id } = await deal(cast.ada, { name: 'Chosen', code: 'C-1' });
    const [name, code, all] = await Promise.all(
      ['?fields=name', '?fields=code', ''].map((query) =>
        cast.ada.get(`/objects/deals/records/${id}${query}`),
      ),
    );
    expect(name?.body.data.fields).toEqual({ name: 'Chosen' });
    expect(code?.body.data.fields).toEqual({ code: 'C-1' });
    expect(all?.body.data.fields).toMatchObject({ name: 'Chosen', code: 'C-1' });
  });

  test('a read that starts after a write was answered sees it, however many others read', async () => {
    const { id } = await deal(cast.rob, { name: 'Version 0' });
    const path = `/objects/deals/records/${id}`;
    let over = false;
    const readers = Array.from({ length: 8 }, async () => {
      while (!over) await cast.rob.get(path);
    });
    try {
      for (let number = 1; number <= 25; number += 1) {
        await cast.rob.patch(path, { fields: { name: `Version ${number}` } });
        const { body } = await cast.rob.get(path);
        expect(body.data.display).toBe(`Version ${number}`);
      }
    } finally {
      over = true;
      await Promise.all(readers);
    }
  });
});

describe('pages at the same time', () => {
  const PAGES = /(?:from|join) "ws_acme"\."deals"/;

  /** The paths of all pages of a walk, and the answers to them one after the other. */
  async function walk(client: Client, query: string) {
    const paths = [`/objects/deals/records?${query}`];
    const bodies: unknown[] = [];
    for (let page = 0; page < paths.length; page += 1) {
      const { status, body } = await client.get(paths[page] as string);
      expect(status).toBe(200);
      bodies.push(body);
      const { next_cursor } = body.pagination;
      if (next_cursor !== null) {
        paths.push(`/objects/deals/records?${query}&cursor=${next_cursor}`);
      }
    }
    return { paths, bodies };
  }

  test('each is the same as alone, for any caller and record, with few statements', async () => {
    for (const client of [cast.rob, cast.sam, cast.ada]) {
      for (let number = 0; number < 12; number += 1) await deal(client, { name: `Page ${number}` });
    }
    let pages = 0;
    let statements = 0;
    for (const query of ['limit=3', 'limit=4&fields=name,secret', 'limit=100']) {
      for (const client of [cast.rob, cast.ada, cast.mia]) {
        const { paths, bodies } = await walk(client, query);
        const watch = watchStatements(cast.world.database, PAGES);
        const asked = [...paths, ...paths.toReversed()];
        const answers = await Promise.all(asked.map((path) => client.get(path)));
        watch.stop();
        expect(answers.map(({ body }) => body)).toEqual([...bodies, ...bodies.toReversed()]);
        // Of a team's records no index has the newest side by side: such pages can take long.
        if (client === cast.mia) continue;
        pages += asked.length;
        statements += watch.statements.length;
      }
    }
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThan(pages);
  });

  test('records of one moment come by their ids, each once', async () => {
    for (let number = 0; number < 10; number += 1) await deal(cast.ada, { name: `Same ${number}` });
    await cast.world.database.rows(`update ws_acme.deals set created_at = '2026-01-01'`);
    const all = await cast.world.rows('select id from deals order by id desc');
    const { paths, bodies } = await walk(cast.ada, 'limit=3');
    // More than one statement takes, so that the later ones share some.
    const asked = Array.from({ length: 6 }, () => paths).flat();
    const together = await Promise.all(asked.map((path) => cast.ada.get(path)));
    expect(together.map(({ body }) => body)).toEqual(
      asked.map((_, at) => bodies[at % paths.length]),
    );
    const walked = together.slice(0, paths.length).flatMap(({ body }) => body.data) as readonly {
      readonly id: string;
    }[];
    expect(walked.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('a cursor of another walk is refused alone', async () => {
    const { paths } = await walk(cast.ada, 'limit=3');
    const foreign = (paths[1] as string).replace('limit=3', 'limit=3&fields=name');
    const answers = await Promise.all(
      [...paths, foreign, ...paths].map((path) => cast.ada.get(path)),
    );
    const refused = answers.splice(paths.length, 1);
    expect(refused.map(({ body }) => body.error?.code)).toEqual(['invalid_cursor']);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a client that leaves takes nothing from those that stay', async () => {
    const path = '/objects/deals/records?limit=3';
    const { port } = cast.world;
    const request = [
      `GET /v1${path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${cast.ada.secret}`,
      '\r\n',
    ].join('\r\n');
    const leaving = Array.from({ length: 10 }, () =>
      sendRaw(port, request, { wait: 1, firstByteTimeoutMs: 1 }),
    );
    const staying = Array.from({ length: 10 }, () => cast.ada.get(path));
    const answers = await Promise.all(staying);
    await Promise.allSettled(leaving);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });
});

describe('the same question at the same time', () => {
  const metrics = [{ name: 'n', op: 'count' }];
  const deals = '/objects/deals/records';
  const QUESTIONS: readonly [string, (client: Client) => ReturnType<Client['get']>][] = [
    ['a filtered list', (client) => client.get(`${deals}?filter[name][gte]=A&sort=name&limit=5`)],
    [
      'an aggregate',
      (client) => client.post(`${deals}/aggregate`, { group_by: ['name'], metrics }),
    ],
    ['a search', (client) => client.get('/search?q=alike')],
  ];

  test.each(QUESTIONS)(
    '%s is queried once for the same reach, and answered as alone',
    async (_, ask) => {
      for (const client of [cast.rob, cast.sam, cast.ada]) await deal(client, { name: 'Alike' });
      const people = [cast.rob, cast.sam, cast.ada, cast.mia];
      const alone: unknown[] = [];
      for (const client of people) alone.push((await ask(client)).body);
      const watch = watchStatements(cast.world.database, /^(?:select|with).*"ws_acme"\./s);
      const rounds = Array.from({ length: 12 }, () => people);
      const answers = await Promise.all(rounds.flat().map(ask));
      watch.stop();
      expect(answers.map(({ body }) => body)).toEqual(rounds.flatMap(() => alone));
      expect(watch.statements.length).toBeGreaterThanOrEqual(people.length - 1);
      expect(watch.statements.length).toBeLessThan(answers.length);
    },
  );

  test('an answer includes every write before its request', async () => {
    const { id } = await deal(cast.ada, { name: 'Renamed 0' });
    const path = `${deals}?filter[name][eq]=`;
    const others = Array.from({ length: 8 }, () => cast.ada.get(`${path}Renamed 1`));
    for (let number = 1; number <= 10; number += 1) {
      const name = `Renamed ${number}`;
      await cast.ada.patch(`${deals}/${id}`, { fields: { name } });
      const found = await Promise.all([1, 2, 3].map(() => cast.ada.get(`${path}${name}`)));
      expect(found.map(({ body }) => body.data[0]?.id)).toEqual([id, id, id]);
    }
    await Promise.all(others);
  });
});
