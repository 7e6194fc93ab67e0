// Records that are asked for at the same time: few statements, and everybody still gets what they may
// see, no more and no older than that.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
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
    const watch = watchStatements(cast.world.database.db, /from "ws_acme"\."deals"/);
    const wrong = ['00000000-0000-7000-8000-000000000000', 'no-such-id'];
    const ids = [...made, ...made].map(({ id }) => id as string);
    const answers = await Promise.all([...ids, ...wrong].map(get));
    watch.stop();
    expect(watch.statements.length).toBeGreaterThan(0);
    expect(watch.statements.length).toBeLessThan(ids.length);
    expect(answers.slice(0, -2).map(({ body }) => body.data?.id)).toEqual(ids);
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.headers.get('etag')).toBe(`"${answers[0]?.body.data.version}"`);
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
