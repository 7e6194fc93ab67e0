// How often `/search` finds the intended record, among 4,000 organisations of which many share their words. The same
// queries in every run; the bars are below the measured rates, so that ties may fall otherwise.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactQuestions, type MadeContact, makeContacts } from '../../bench/made-contacts.ts';
import { makeOrganisations } from '../../bench/organisations.ts';
import { type Loaded, loadContacts, loadOrganisations } from '../../bench/search-loading.ts';
import { measureEngine } from '../../bench/search-outcome.ts';
import { makeQuestions, type QuestionKind } from '../../bench/search-questions.ts';
import { readHits } from '../../src/flow/records/read/read-flow.ts';
import { normalise, parseSearchTerms } from '../../src/model/text/search-text.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

const ORGANISATIONS = makeOrganisations(4000);
const QUESTIONS = 100;

const CONTACTS = makeContacts();

let database: OwnDatabase;
let loaded: Loaded;
let contactIds: readonly string[];

beforeAll(async () => {
  database = await createOwnDatabase();
  loaded = await loadOrganisations(database.db, ORGANISATIONS);
  contactIds = await loadContacts(loaded.context, CONTACTS);
}, 180_000);

afterAll(() => database?.drop());

async function ask(text: string, limit = 20): Promise<readonly string[]> {
  const { rows: hits } = await readHits(loaded.context, { text, limit });
  return hits.map(({ id }) => String(id));
}

async function measure(kind: QuestionKind) {
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
  ['common words apart', 100],
  ['common words of two fields', 100],
])(
  '%s: %i of 100 are among twenty',
  async (kind, bar) => {
    const { at20, missed } = await measure(kind);
    expect(at20, missed.join('\n')).toBeGreaterThanOrEqual(bar);
  },
  60_000,
);

test.each([
  ...(['words shuffled', 'two rarest words', 'name and city'] as const),
  ...(['common words apart', 'common words of two fields'] as const),
])('%s: records with all words come first, and none is missing', async (kind) => {
  const texts = new Map(
    ORGANISATIONS.map(({ name, city, email, phone }, place) => [
      loaded.ids[place] as string,
      ` ${normalise(`${name} ${city} ${email.replace(/\.[^.]*$/, '')}`)} ${phone} `,
    ]),
  );
  const hasAll = (id: string, words: readonly string[]) => {
    // Of beginnings, one has to be long.
    const end = words.every(({ length }) => length < 3) ? ' ' : '';
    return words.every((word) => texts.get(id)?.includes(` ${word}${end}`));
  };
  for (const { text } of makeQuestions(ORGANISATIONS, kind, QUESTIONS)) {
    const { words } = parseSearchTerms(text);
    if (!words.every((word) => /^[a-z0-9]+$/.test(word))) continue;
    const count = [...texts.keys()].filter((id) => hasAll(id, words)).length;
    const hits = await ask(text);
    const first = hits.slice(0, count);
    expect(
      first.every((id) => hasAll(id, words)),
      text,
    ).toBe(true);
    expect(first, text).toHaveLength(Math.min(count, 20));
  }
});

test('first and last name find all people who have both, also when the names are common words', async () => {
  for (const { text, meant } of contactQuestions(CONTACTS, QUESTIONS)) {
    const hits = await ask(text, 30);
    const wanted = meant.map((place) => contactIds[place] as string);
    expect(hits.slice(0, meant.length).toSorted(), text).toEqual(wanted.toSorted());
  }
});

test('the words of a name in any order find the one who has them all first', async () => {
  const places = Array.from({ length: QUESTIONS }, (_, index) => index * 137);
  for (const place of places) {
    const words = (CONTACTS[place] as MadeContact).name.split(' ');
    expect((await ask(words.toReversed().join(' ')))[0]).toBe(contactIds[place]);
  }
});
