// The requests to a workspace of 10,000 records and to a large one, in the same words.

import type { Database } from '../src/postgres/db.ts';
import { listQuestions, RECORDS, searchRequests, searchTexts } from './floor-tasks.ts';
import { type GrowthQuestion, measureGrowth, type Workspaces } from './growth-tasks.ts';
import type { Load, Request } from './measure.ts';
import type { Result } from './report.ts';
import type { Site } from './site.ts';

/** Names of the questions, as `--only` takes them. */
export const GROWTH_TASKS = [
  'get-growth',
  'list-growth',
  'filter-growth',
  'text-growth',
  'search-growth',
  'create-growth',
] as const;
export type GrowthTask = (typeof GROWTH_TASKS)[number];

/** Values of the workspaces for the requests. */
export interface GrowthSample {
  readonly ids: Readonly<Record<'small' | 'large', readonly string[]>>;
  readonly names: readonly string[];
}

/** The questions by their names. */
export function growthQuestions(
  { large }: Workspaces,
  { ids, names }: GrowthSample,
): Readonly<Record<GrowthTask, GrowthQuestion>> {
  const gets = (some: readonly string[]) => some.map((id) => ({ path: `${RECORDS}/${id}` }));
  const same = (task: string, requests: readonly Request[]): GrowthQuestion => ({
    task,
    requests: { small: requests, large: requests },
  });
  return {
    'get-growth': {
      task: 'get one',
      requests: { small: gets(ids.small), large: gets(ids.large) },
    },
    'list-growth': same('list by an indexed field', [{ path: `${RECORDS}?sort=-close_date` }]),
    'filter-growth': same('list, two filters and a sort', listQuestions(large).requests),
    'text-growth': same('list by `q`', names.map(textRequest)),
    'search-growth': same('/search', searchRequests(searchTexts(names))),
    'create-growth': same('create one', [createRequest()]),
  };
}

/** Measure a request, and remove the records it created. */
export async function measureGrowthOf(
  { db }: Site,
  workspaces: Workspaces,
  question: GrowthQuestion,
  load: Load,
): Promise<Result> {
  const started = new Date().toISOString();
  try {
    return await measureGrowth(workspaces, question, load);
  } finally {
    for (const schema of ['ws_small', 'ws_large']) await removeCreated(db, schema, started);
  }
}

/** The records of the workspaces were created long before any measurement. */
async function removeCreated(db: Database, schema: string, started: string): Promise<void> {
  const of = 'record_id in (select id from created)';
  const text = `with created as (select id from ${schema}.deals where created_at >= $1),
    search as (delete from ${schema}._search where ${of}),
    audit as (delete from ${schema}._audit where ${of})
    delete from ${schema}.deals where id in (select id from created)`;
  await db.query({ text, values: [started] });
}

/** The first two words of a name: what many records have, and few. */
function textRequest(name: string): Request {
  const text = name.split(' ').slice(0, 2).join(' ');
  return { path: `${RECORDS}?q=${encodeURIComponent(text)}` };
}

function createRequest(): Request {
  const fields = {
    name: 'Northern Lights 1',
    stage: 'lead',
    amount: 1200.5,
    close_date: '2026-11-01',
  };
  return { path: RECORDS, method: 'POST', body: JSON.stringify({ fields }) };
}
