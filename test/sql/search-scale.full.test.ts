// The statement of a search on 240,000 rows of the index: every stage reads its rows by an index and stops; no table
// is scanned, and a bitmap is built of records with all words only.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../src/control/workspace/workspaces.ts';
import { plannedSearch } from '../../src/flow/records/read/search-statement.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { callerOf } from '../sample-definition.ts';
import { withoutIndexes } from './without-indexes.ts';

/** With half as many PostgreSQL builds bitmaps now and then. */
const RECORDS = 80_000;

const DOCUMENT = {
  users: {
    'ada@scale.example': { name: 'Ada', roles: ['admin'] },
    'rob@scale.example': { name: 'Rob', roles: ['rep'] },
  },
  roles: { rep: { objects: { companies: { read: 'own' } } } },
};

/** Names of three words: two of a few hundred, then a number. */
const FILL = `
  with names as (
    select gen_random_uuid() as id, now() - n * interval '1 minute' as created_at, case n % 500 when 0 then 2 else 1 end as owner,
      'maker' || chr(97 + n % 26) || chr(97 + n / 26 % 26) as one,
      'trade' || chr(97 + n % 20) || chr(97 + n / 400 % 26) as two, n::text as three
    from generate_series(1, $1::integer) n
  ), companies as (
    insert into ws_scale.companies (id, name, created_at, created_by_user_id, owner_user_id)
    select id, initcap(one || ' ' || two || ' ' || three), created_at, 1, owner from names
  )
  insert into ws_scale._search (record_id, source, place, text, reach_user_id, created_at, words)
  select id, 'companies.name', place, text, owner, created_at, case place when 0 then array_to_tsvector(
    array['companies.name ' || one, 'companies.name ' || two, 'companies.name ' || three, '@' || owner]) end
  from names cross join lateral (values
    (0::smallint, one || ' ' || two || ' ' || three), (2::smallint, two || ' ' || three),
    (2::smallint, three)) w(place, text)`;

const WORDS = `
  insert into ws_scale._search_words (word, variant)
  select w.word, v.variant from (
    select distinct split_part(text, ' ', 1) as word from ws_scale._search where text !~ '^[0-9]') w
  cross join lateral workspace_records.slips(w.word) v(variant)`;

let database: OwnDatabase;
let model: WorkspaceModel;

beforeAll(async () => {
  database = await createOwnDatabase();
  const { db, rows } = database;
  await migrate(db);
  const workspace = await createWorkspace(db, { slug: 'scale', document: DOCUMENT });
  model = (await loadModel(db, workspace.id)) as WorkspaceModel;
  await withoutIndexes(database, ['ws_scale', '_search'], () => rows(FILL, [RECORDS]));
  await rows(WORDS);
  await rows('vacuum analyze ws_scale._search');
  await rows('vacuum analyze ws_scale._search_words');
});

afterAll(() => database?.drop());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

async function explain(role: string, id: number, text: string) {
  const caller = callerOf(model, [role], { id });
  const planned = plannedSearch({ model, caller }, { text, limit: 20 });
  if (planned === undefined) throw new Error('there is nothing to search');
  const { statement } = planned;
  const [row] = await database.rows(
    `explain (analyze, format json) ${statement.text}`,
    statement.values,
  );
  const [{ Plan }] = (row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
  const scans = nodesOf(Plan).filter(
    (node) => node['Actual Loops'] > 0 && node['Relation Name']?.startsWith('_search'),
  );
  for (const scan of scans) {
    // Records that have all words.
    const [below] = scan.Plans ?? [];
    if (below?.['Index Name'] === '_search_all_words') continue;
    expect(scan['Node Type']).toMatch(/^Index (?:Only )?Scan$/);
    expect(scan['Actual Rows']).toBeLessThanOrEqual(500);
  }
  return { hits: Plan['Actual Rows'], used: nodesOf(Plan).map((node) => node['Index Name']) };
}

test.each([
  ['one record by its whole name', 'makervg tradefe 12345', '_search_display_text'],
  ['many by their beginning: the newest', 'ma', '_search_display_age'],
  ['many by a word: the newest', 'tradeb', '_search_word_age'],
  ['few by a word', '7999', '_search_word_text'],
  ['a typo', 'mkaerbc', '_search_words_variant'],
  ['words in another order', 'tradefe makervg', '_search_all_words'],
  ['common words in another order', 'tradefe 12345 makervg', '_search_all_words'],
  ['a typo and a common word', 'tradefe mkaervg', '_search_words_variant'],
])('%s', async (_, text, index) => {
  const { hits, used } = await explain('admin', 1, text);
  expect(hits).toBeGreaterThan(0);
  expect(used).toContain(index);
});

test('the records of one person are read by person', async () => {
  const { hits, used } = await explain('rep', 2, 'ma');
  expect(hits).toBeGreaterThan(0);
  expect(used).toContain('_search_person');
});
