// How the text of a read names the tables of a shard. That it reads there, and goes on when the shard has left, is asked of
// a cluster (test/citus).

import { expect, test } from 'vitest';
import { nameShards } from '../../src/postgres/shards.ts';

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
    'select "workspace_records"."fold"(t."deals") from "ws_acme"."deals" t',
    'select "workspace_records"."fold"(t."deals") from ws_acme.deals_102031 t',
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
