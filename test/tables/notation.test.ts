// Numbers and days that can mean two things are read as the other columns of their file are; the column with names is
// found whatever the order of columns.

import { expect, test } from 'vitest';
import { isOpen } from '../../packages/tables/src/guess.ts';
import { matchColumns } from '../../packages/tables/src/match-columns.ts';
import { nameRanks } from '../../packages/tables/src/name-column.ts';
import { proposeMapping } from '../../packages/tables/src/propose-mapping.ts';
import { readTable } from '../../packages/tables/src/reading.ts';
import { readNumber, readTime } from '../../packages/tables/src/written-forms.ts';
import { readBase } from '../../src/definitions/document/definition-file.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { matchedObject } from '../../src/model/definition/matched-object.ts';

import { SAMPLE_IDENTITY } from '../sample-definition.ts';

const BOUNDS = { columns: 100, cells: 100, length: 10_000 };

const tableOf = (text: string) =>
  readTable(
    async function* bytes() {
      yield new TextEncoder().encode(text);
    },
    {},
    { bounds: BOUNDS, today: new Date('2026-11-29') },
  );

test.each([
  ['Umsatz;Preis\n1.000;1.234,50\n2.500;7,5\n', 1000, 'Preis'],
  ['Weight;Price\n1.000;12.50\n', 1, 'Price'],
  ['Menge;Faktor\n1.000;0.125\n', 1, 'Faktor'],
  ['Umsatz;Preis\n1,000;12.50\n', 1000, 'Preis'],
  ['Umsatz;Note\n1.000;1,5\n2.000;k. A.\n3.000;2,5\n', 1000, 'Note'],
])('in %j the first number is %d because of %s', async (text, value, heading) => {
  const [guess] = (await tableOf(text)).guesses;
  expect([readNumber(text.split(/[;\n]/)[2] ?? '', guess?.form ?? {}), guess?.by]).toEqual([
    ...[value, heading],
  ]);
});

test('days are read as those of another column, with the month first or the day', async () => {
  const dayOf = async (text: string) => {
    const [guess] = (await tableOf(text)).guesses;
    return [readTime('1/2/2026', guess?.form ?? {}), guess?.by];
  };
  expect(await dayOf('From,To\n1/2/2026,31/2/2026\n')).toEqual(['2026-01-02', undefined]);
  expect(await dayOf('From,To\n1/2/2026,31/1/2026\n')).toEqual(['2026-02-01', 'To']);
  expect(await dayOf('From,To\n1/2/2026,1/31/2026\n')).toEqual(['2026-01-02', 'To']);
});

const model = compileModel(SAMPLE_IDENTITY, readBase() as unknown as DefinitionDocument);
const object = (type: string) => {
  const found = model.objects.get(type);
  if (found === undefined) throw new Error(`there is no ${type}`);
  return matchedObject(found);
};

test.each(['Umsatz\n1.000\n2.500\n', 'A;B;C\n1.000;1,5;2.5\n', 'From\n1/2/2026\n'])(
  'in %j nothing decides, so a person is asked and no mapping is proposed',
  async (text) => {
    const table = await tableOf(text);
    expect(isOpen(table.guesses[0] ?? {})).toBe(true);
    const [field] = object('meetings').fields;
    const heading = table.headings[0] ?? '';
    const fields = [{ ...field, key: 'a', name: heading, reads: 'numbers', takes: undefined }];
    const proposal = proposeMapping(
      { ...object('meetings'), fields } as Parameters<typeof proposeMapping>[0],
      table,
    );
    expect([proposal.undecided, proposal.mapping.columns]).toEqual([[heading], {}]);
  },
);

test.each([
  ['companies', 'Account ID,Account Name\nA-1,Acme\n', 'Account Name'],
  ['companies', 'Organization - ID,Organization - Name\n17,Acme\n', 'Organization - Name'],
  ['companies', 'Company,Customer\nC-100,Acme\nC-101,Bolt\n', 'Customer'],
  ['companies', 'Kundennummer,Firma\n1001,Acme\n', 'Firma'],
  ['contacts', 'Title,Full name\nManager,Ada Lovelace\n', 'Full name'],
  ['contacts', 'First Name,Last Name,Title\nAda,Lovelace,Manager\n', undefined],
])('records of %s in %j are named by %s', async (type, text, heading) => {
  const table = await tableOf(text);
  const matches = matchColumns(object(type), table, table.preset);
  expect([...matches].find(([, key]) => key === 'name')?.[0]).toBe(heading);
  const ranks = nameRanks(table);
  const first = table.headings[ranks.indexOf(Math.max(...ranks))];
  if (heading !== undefined) expect(first).toBe(heading);
});
