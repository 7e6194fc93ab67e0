// How often `/search` finds what is meant, among 4,000 organisations of which many share their words.
// The same questions in every run; the bars are below what is found, so that ties may fall otherwise.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOrganisations } from '../../bench/organisations.ts';
import { type Loaded, loadOrganisations } from '../../bench/search-loading.ts';
import { measureEngine } from '../../bench/search-outcome.ts';
import { makeQuestions, type QuestionKind } from '../../bench/search-questions.ts';
import { readHits } from '../../src/flow/read-flow.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

const ORGANISATIONS = makeOrganisations(4000);
const QUESTIONS = 100;

let database: OwnDatabase;
let loaded: Loaded;

beforeAll(async () => {
  database = await createOwnDatabase();
  loaded = await loadOrganisations(database.db, ORGANISATIONS);
});

afterAll(() => database?.drop());

async function measure(kind: QuestionKind) {
  const ask = async (text: string) => {
    const { rows: hits } = await readHits(loaded.context, { text, limit: 20 });
    return hits.map(({ id }) => String(id));
  };
  const questions = makeQuestions(ORGANISATIONS, kind, QUESTIONS);
  expect(questions).toHaveLength(QUESTIONS);
  return measureEngine({ name: '/search', ask }, questions, loaded.ids);
}

test('a name is the first hit', async () => {
  expect((await measure('known item')).at1).toBe(100);
});

test.each<[QuestionKind, number]>([
  ['prefix', 95],
  ['one edit', 98],
  ['words shuffled', 99],
  ['two rarest words', 98],
  ['one word too many', 95],
  ['name and city', 99],
  ['other scripts, no accents', 99],
  ['e-mail, a letter missing', 95],
  ['last six digits', 99],
])(
  '%s: %i of 100 are among twenty',
  async (kind, bar) => {
    const { at20, missed } = await measure(kind);
    expect(at20, missed.join('\n')).toBeGreaterThanOrEqual(bar);
  },
  60_000,
);
