// The catalogues: types check that they have the same keys; these tests, that a translation inserts the same values
// as its English, and that no message is unused.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MESSAGES, type MessageId } from '@workspace-records/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { REASONS } from '../../../src/plan/events/webhook-reasons.ts';
import { FIELD_TYPES_TO_CHOOSE, kindOf } from '../src/fields/kinds.ts';
import { en as first } from '../src/lib/messages/en/index.ts';
import { later } from '../src/lib/messages/en/later.ts';
import {
  type Catalogue,
  errorText,
  loadLanguage,
  messageText,
  type ServiceTexts,
  told,
  translate,
} from '../src/lib/messages/index.ts';
import { insideSentence } from '../src/lib/messages/sentence-case.ts';
import { periodText } from '../src/lib/periods.ts';

/** All English texts, also those that come later. */
const en = { ...first, ...later };

type Text = string | { readonly one: string; readonly other: string };

interface Language {
  readonly catalogue: Catalogue;
  readonly service: ServiceTexts;
}
const LANGUAGES = Object.entries(
  import.meta.glob<Language>(['../src/lib/messages/*/index.ts', '!../src/lib/messages/en/*'], {
    eager: true,
  }),
);

const formsOf = (text: Text) => (typeof text === 'string' ? [text] : [text.one, text.other]);
const namesIn = (text: string) =>
  [...text.matchAll(/\{(\w+)(?:, inside)?\}/g)].map(([, name]) => name).sort();

test.each(LANGUAGES)('%s has the texts of English, with the same values', (_, { catalogue }) => {
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  for (const [key, text] of Object.entries<Text>(en)) {
    const other = (catalogue as Readonly<Record<string, Text>>)[key] as Text;
    expect(typeof other, key).toBe(typeof text);
    expect(namesIn(formsOf(other).at(-1) ?? ''), key).toEqual(namesIn(formsOf(text).at(-1) ?? ''));
    for (const form of [...formsOf(text), ...formsOf(other)]) expect(form.trim(), key).not.toBe('');
  }
});

test('no text has the key of another', () => {
  const folder = join(import.meta.dirname, '..', 'src', 'lib', 'messages', 'en');
  const names = readdirSync(folder).filter((name) => name !== 'index.ts' && name.endsWith('.ts'));
  const keys = names.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return [...text.matchAll(/^ {2}'?([\w.]+)'?:/gm)].map(([, key]) => key);
  });
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  expect(keys.length).toBe(Object.keys(en).length);
});

/**
 * Other words for the owner, for creating, for work items and their types, approvals, jobs, options, rights, administrators
 * and the audit, and the familiar form of address.
 */
const OTHER_GERMAN =
  /\b(?:[Dd](?:u|ir|ich)|[Dd]ein\w*|[Ee]rstell\w*|erzeug\w*|[Vv]erantwortlich\w*|zuständig\w*|Kennwort\w*|\w*[Aa]ufgabentyp\w*|Abl(?:auf|äuf)\w*|Audit-Log|Änderungsprotokoll|[Ff]reig(?:abe|eben|ibt)\w*|Jobs?|Möglichkeit\w*|Rechte?|Scopes?|Administrator(?:en)?|Arbeitsbereich\w*|Probelauf\w*|Feldes)\b/;

test('German has one word for a thing and an action, and addresses people by “Sie”', () => {
  const [, { catalogue, service }] = LANGUAGES.find(([path]) => path.includes('/de/')) as [
    string,
    Language,
  ];
  // Words that people search for are as many as there are.
  const texts = Object.entries<Text>(catalogue).filter(([key]) => !/keywords$/i.test(key));
  const all = [...texts, ...Object.entries<Text>(service)];
  const wrong = all.filter(([, text]) => formsOf(text).some((form) => OTHER_GERMAN.test(form)));
  expect(wrong).toEqual([]);
});

test('every text is said somewhere', () => {
  const source = join(import.meta.dirname, '..', 'src');
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('messages'))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const isSaid = (key: string) => texts.includes(`'${key}'`) || /^icon\.|^palette\./.test(key);
  expect(Object.keys(en).filter((key) => !isSaid(key))).toEqual([]);
});

test('texts for everybody have no words that only developers know', () => {
  const forDevelopers = /^(keys|scope|webhooks|event|deliveries)\.|\.keywords$/;
  const unknown = /\b(schema|payload|scopes?|principal|endpoint|regex|reach)\b/i;
  const technical = Object.entries<Text>(en)
    .filter(([key]) => !forDevelopers.test(key))
    .filter(([, text]) => formsOf(text).some((form) => unknown.test(form)));
  expect(technical.map(([key]) => key)).toEqual([]);
});

test('a type of fields has one name, wherever it is said', () => {
  const names = FIELD_TYPES_TO_CHOOSE.map((type) => String(en[kindOf({ type }).name]));
  expect(new Set(names).size).toBe(names.length);
  const words = new Set(names.map((name) => name.toLowerCase()));
  const again = Object.keys(en).filter((key) => /^(?!type\.)\w+\.type[A-Z]/.test(key));
  const isName = (key: string) => words.has(String(en[key as keyof typeof en]).toLowerCase());
  expect(again.filter(isName)).toEqual([]);
});

test.each(LANGUAGES)('%s has every message of the service, with its values', (_, { service }) => {
  expect(Object.keys(service).sort()).toEqual(Object.keys(MESSAGES).sort());
  for (const [id, english] of Object.entries<string>(MESSAGES)) {
    const text = service[id as MessageId];
    expect(text.trim(), id).not.toBe('');
    for (const name of namesIn(text)) expect(namesIn(english), id).toContain(name);
  }
});

describe('in German', () => {
  beforeAll(() => {
    vi.stubGlobal('document', { documentElement: {} });
    return loadLanguage('de');
  });
  afterAll(async () => {
    await loadLanguage('en');
    vi.unstubAllGlobals();
  });

  test.each(['The value must be at most 7.', 'Reworded: nothing above 7.'])(
    'a problem is translated by its id, whatever its English is: %s',
    (message) => {
      const problem = { message, message_id: 'must_be_at_most', params: { most: 7 } };
      expect(messageText(problem)).toBe('Der Wert darf höchstens 7 sein.');
    },
  );

  test('an error without an id has the text of its code', () => {
    const error = { code: 'stale_record', message: 'Reworded.', details: undefined } as const;
    expect(errorText(error)).toBe('Der Datensatz wurde inzwischen geändert.');
  });

  test('a message in a message is translated too', () => {
    const reason = { message: 'No.', message_id: 'type_fixed' };
    const refused = { message: 'Refused: No.', message_id: 'move_refused', params: { reason } };
    expect(messageText(refused)).toBe(
      'Wer gefragt hat, kann den Wechsel nicht mehr machen: Der Typ kann nicht geändert werden.',
    );
  });

  test('an unknown id leaves the message as it is', () => {
    const message = 'Nobody has a word for this.';
    expect(messageText({ message, message_id: 'constructor' })).toBe(message);
    expect(messageText({ message })).toBe(message);
  });

  test('sentences without an id, such as reasons of jobs, are found by their text', () => {
    expect(told('The value must be at most 7.')).toBe('Der Wert darf höchstens 7 sein.');
    expect(told('The user may not delete records of Deals.')).toBe(
      'Dafür haben Sie bei Deals keine Berechtigung.',
    );
    const reasons = Object.values(REASONS).map(({ text }) => text);
    expect(reasons.filter((reason) => told(reason) === reason)).toEqual([]);
    expect(told('Nobody has a word for this.')).toBe('Nobody has a word for this.');
  });

  test('a span of one unit needs no word with its gender', () => {
    const textOf = (kind: 'last' | 'coming', count: number) =>
      periodText({ kind, count, unit: 'm' }, translate());
    expect([textOf('last', 1), textOf('last', 3)]).toEqual([
      '1 Monat bis jetzt',
      'letzte 3 Monate',
    ]);
    expect([textOf('coming', 1), textOf('coming', 3)]).toEqual([
      ...['1 Monat ab jetzt', 'nächste 3 Monate'],
    ]);
  });
});

test.each([
  ['Work item', 'work item'],
  ['Company', 'company'],
  ['Q&A', 'Q&A'],
  ['API key', 'API key'],
  ['iPhone', 'iPhone'],
  ['McDonald visit', 'McDonald visit'],
  ['X-ray', 'X-ray'],
  ['Übung', 'übung'],
])('%s is written %s within a sentence', (name, inside) => {
  expect(insideSentence(name)).toBe(inside);
});
