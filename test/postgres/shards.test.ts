// How statements name the tables of a shard, and their destination when the shard has left. test/citus checks it on a
// real cluster.

import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Server, Transaction } from '../../src/postgres/db.ts';
import { nameShards, openShards } from '../../src/postgres/shards.ts';
import type { Statement } from '../../src/sql/sql.ts';

const tables = new Map([
  ['deals', 'ws_acme.deals_102031'],
  ['_links', 'ws_acme._links_102012'],
  ['über', '"ws_acme"."über_102040"'],
]);

test.each([
  [
    'select t."name" from "ws_acme"."deals" t join "ws_acme"."_links" l on l.from_id = t.id',
    'select t."name" from ws_acme.deals_102031 t join ws_acme._links_102012 l on l.from_id = t.id',
  ],
  ['select from "ws_acme"."über"', 'select from "ws_acme"."über_102040"'],
  [
    'select "workspace_records"."folded"(t."deals") from "ws_acme"."deals" t',
    'select "workspace_records"."folded"(t."deals") from ws_acme.deals_102031 t',
  ],
  // Another workspace, and one whose name begins with that of this one.
  [
    'select from "ws_globex"."deals", "ws_acme2"."deals"',
    'select from "ws_globex"."deals", "ws_acme2"."deals"',
  ],
  ['select from "ws_acme"."deals", "ws_acme"."orders"', undefined],
])('%s', (text, expected) => {
  expect(nameShards(text, 'ws_acme', tables)).toBe(expected);
});

/** A node with a shard of ws_acme, whose transactions fail with `failure` once they name its tables. */
function openNode(failure?: string) {
  const sent: string[] = [];
  const tables = new Map([['deals', 'ws_acme.deals_102031']]);
  const send = async (statements: readonly Statement[]) => {
    for (const { text } of statements) sent.push(text);
    const isDirect = statements.some(({ text }) => text.includes('_102031'));
    if (failure !== undefined && isDirect) {
      throw Object.assign(new pg.DatabaseError('gone', 4, 'error'), { code: failure });
    }
    return statements.map(() => []);
  };
  const tx: Transaction = {
    query: async (statement) => (await send([statement]))[0] ?? [],
    queryAll: send,
    finish: send,
  };
  const node = {
    async query({ text }: Statement) {
      if (!text.includes('pg_dist_schema')) throw new Error(text);
      return [...tables].map(([name, shard]) => ({ id: '102031', name, shard }));
    },
    async transaction<Result>(
      work: (own: Transaction) => Promise<Result>,
      { opening }: { readonly opening?: Statement } = {},
    ) {
      sent.push(opening === undefined ? 'begin' : `begin; ${opening.text}`);
      return work(tx);
    },
  } as unknown as Server;
  const db = openShards(node);
  const write = (...tables: readonly string[]) =>
    db.transaction(
      (own) => own.finish(tables.map((table) => ({ text: `delete from ${table}`, values: [] }))),
      { writes: 'ws_acme' },
    );
  return { db, sent, write, tables };
}

describe('a transaction that writes', () => {
  const ENTER = 'begin; select "workspace_records"."enter_shard"($1::text, $2::bigint)';

  test('goes to the tables of the shard, from the first one on', async () => {
    const { sent, write } = openNode();
    await write('"ws_acme"."deals"');
    expect(sent).toEqual([ENTER, 'delete from ws_acme.deals_102031']);
  });

  test('names a new table as Citus shows it, and the next one asks for the tables again', async () => {
    const { sent, write, tables } = openNode();
    await write('"ws_acme"."deals"');
    tables.set('others', 'ws_acme.others_102040');
    sent.length = 0;
    await write('"ws_acme"."deals"', '"ws_acme"."others"');
    await write('"ws_acme"."others"');
    expect(sent).toEqual([
      ...[ENTER, 'delete from ws_acme.deals_102031', 'delete from "ws_acme"."others"'],
      ...[ENTER, 'delete from ws_acme.others_102040'],
    ]);
  });

  test('goes the ordinary way when the node does not say', async () => {
    const { sent, write, tables } = openNode();
    tables.clear();
    await write('"ws_acme"."deals"');
    expect(sent).toEqual(['begin', 'delete from "ws_acme"."deals"']);
  });

  test.each(['WR003', '42P01'])('is repeated the ordinary way after %s', async (code) => {
    const { sent, write } = openNode(code);
    await write('"ws_acme"."deals"');
    expect(sent).toEqual([
      ENTER,
      'delete from ws_acme.deals_102031',
      'begin',
      'delete from "ws_acme"."deals"',
    ]);
  });

  test('fails with what else it fails with', async () => {
    const { write } = openNode('23505');
    await expect(write('"ws_acme"."deals"')).rejects.toThrow('gone');
  });

  test('is none of the shard when it does not say so', async () => {
    const { db, sent, write } = openNode();
    await write('"ws_acme"."deals"');
    sent.length = 0;
    await db.transaction((own) => own.query({ text: 'delete from "ws_acme"."deals"', values: [] }));
    expect(sent).toEqual(['begin', 'delete from "ws_acme"."deals"']);
  });
});
