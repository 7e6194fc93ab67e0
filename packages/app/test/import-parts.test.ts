// Parts of imports and exports: fields made from columns, saved plans, rejected rows, the question of an export, job titles.

import type { Client, Field, JobDetails, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { readNumber } from '../../tables/src/written-forms.ts';
import { exportBodyOf } from '../src/editing/transfers/export-question.ts';
import {
  type ImportDraft,
  isUndecided,
  startDraft,
  type Target,
} from '../src/features/imports/import-draft.ts';
import { fieldsPatch, newFields, withType } from '../src/features/imports/new-fields.ts';
import { objectOf } from '../src/features/imports/object-of-table.ts';
import { applySaved } from '../src/features/imports/saved-mappings.ts';
import { filesWithRejects, shareOf, titleOf } from '../src/features/jobs/job-words.ts';
import { homeCurrency } from '../src/lib/home-currency.ts';
import { translate } from '../src/lib/messages/index.ts';
import { correctedFile, endingOf, readRejects, withCell } from '../src/lib/reject-rows.ts';
import { readTableFile as readTable } from '../src/lib/table-file.ts';
import { PLAIN_VIEW } from '../src/lib/view-state.ts';

const field = (key: string, type = 'text', rest: Partial<Field> = {}): Field => ({
  ...{ key, name: null, type, required: false, editable: true, storage: 'physical' },
  ...{ storage_key: key, ...rest },
});
const BOATS = {
  ...{ object_type: 'boats', name: 'Boats', singular_name: 'Boat', display_field: 'name' },
  fields: [field('id'), field('name'), field('length', 'number')],
} as unknown as ObjectDefinition;
const TARGET: Target = { object: BOATS, head: { object_type: 'boats' }, others: new Map() };
const tableOf = (text: string) => readTable(new Blob([text]));

test('columns become fields of the guessed types, with keys that are free', async () => {
  const table = await tableOf('Name,Length,Colour\nHope,12,Red\n');
  const fields = newFields(table, ['Length', 'Colour'], ['name', 'length']);
  expect(fields.map(({ key, type }) => [key, type])).toEqual([
    ...[
      ['length_2', 'integer'],
      ['colour', 'text'],
    ],
  ]);
  const [length, colour] = fields;
  if (length === undefined || colour === undefined) throw new Error('there are two');
  const listed = withType(colour, 'select', ['Red', 'Dark red']);
  expect(fieldsPatch('boats', [{ ...length, isChosen: false }, listed])).toEqual({
    objects: {
      boats: {
        fields: {
          colour: {
            ...{ name: 'Colour', type: 'select' },
            options: [
              { value: 'red', label: 'Red' },
              { value: 'dark_red', label: 'Dark red' },
            ],
          },
        },
      },
    },
  });
  expect(withType(listed, 'text', []).options).toBeUndefined();
  expect(withType(colour, 'currency', []).currency).toBe(homeCurrency());
});

test('a saved plan is used for the columns and fields that are there', async () => {
  const first = startDraft(TARGET, await tableOf('A,B,C\n1,2,3\n'));
  const [a, b, c] = first.columns;
  if (a === undefined || b === undefined || c === undefined) throw new Error('there are three');
  const draft = {
    ...first,
    columns: [{ ...a, field: 'name' }, { ...b, field: 'gone' }, c],
    ...{ match: ['name', 'gone'], constants: { length: '5', gone: 'x' } },
  };
  const table = await tableOf('A,B,Length\n1,2,3\n');
  const started = startDraft(TARGET, table);
  const applied = applySaved(TARGET, { started, table }, { name: 'x', draft });
  expect(applied.columns.map((plan) => [plan.heading, plan.field])).toEqual([
    ...[
      ['A', 'name'],
      ['B', undefined],
      ['Length', 'length'],
    ],
  ]);
  expect([applied.match, applied.constants]).toEqual([['name'], { length: '5' }]);
});

test.each([
  ['Account ID,Account Name\nA-1,Acme\n', 'account_name', ['account_id', 'account_name']],
  ['Umsatz;Firma\n1.000;Acme\n', 'firma', ['umsatz', 'firma']],
  [
    'First name,Last name,Company,Title\nAda,Lovelace,Acme,Countess\n',
    'name',
    ['name', 'first_name', 'last_name', 'company', 'title'],
  ],
  ['Full name,First name,Last name\nAda L.,Ada,L.\n', 'full_name', undefined],
])('an object of %j is named by %s', async (text, display, keys) => {
  const table = await tableOf(text);
  const { display_field, fields = {} } = objectOf('Things', table, 'Name');
  expect(display_field).toBe(display);
  if (keys !== undefined) expect(Object.keys(fields)).toEqual(keys);
  const object = {
    ...{ object_type: 'things', name: 'Things', singular_name: 'Thing', display_field },
    fields: Object.entries(fields).map(([key, { name, type }]) =>
      field(key, type, { name: String(name) }),
    ),
  } as unknown as ObjectDefinition;
  const draft = startDraft({ object, head: { object_type: 'things' }, others: new Map() }, table);
  expect(draft.templates).toEqual(
    display === 'name' ? { name: '[{First name}][ {Last name}]' } : {},
  );
  expect(draft.columns.every((column) => column.field !== undefined)).toBe(true);
});

test('a saved plan reads numbers as the file writes them, and as it was chosen where it can be read in two ways', async () => {
  const planOf = async (text: string, before?: ImportDraft) => {
    const table = await tableOf(text);
    const started = startDraft(TARGET, table);
    if (before === undefined) return started;
    return applySaved(TARGET, { started, table }, { name: '', draft: before });
  };
  const lengthOf = ({ columns }: ImportDraft, text: string) =>
    readNumber(text, columns.find(({ field }) => field === 'length')?.form ?? {});
  const english = await planOf('Boat,Length\nA,"1,234.5"\n');
  expect(lengthOf(english, '1,234.5')).toBe(1234.5);
  const german = await planOf('Boat,Length\nA,"1.234,5"\n', english);
  expect(lengthOf(german, '1.234,5')).toBe(1234.5);
  const twoWays = await planOf('Boat,Length\nA,1.234\n', german);
  expect(lengthOf(twoWays, '1.234')).toBe(1234);
  const { columns } = await planOf('Boat,Length\nA,1.234\n');
  expect(columns.filter(isUndecided).map(({ heading }) => heading)).toEqual(['Length']);
});

test('rejected rows have their wrong cells marked, and are a file again', async () => {
  const text = `_line,_field,_reason,Boat,Length\n3,length,No.,'=Hope,many\n5,name,Missing.,,7\n`;
  const client = { imports: { rejects: async () => new Response(text) } } as unknown as Client;
  const job = {
    id: 'x',
    problems: [
      { line: 3, field: 'length', reason: 'No.' },
      { line: 5, field: 'name', reason: 'Missing.' },
    ],
  } as unknown as JobDetails;
  const mapping = { object_type: 'boats', columns: { Length: { field: 'length' } } } as never;
  const file = { number: 1, mapping };
  const rejects = await readRejects(client, job, file, 10);
  expect(rejects.headings).toEqual(['Boat', 'Length']);
  expect(rejects.rows).toEqual([
    {
      ...{ line: 3, cells: ['=Hope', 'many'] },
      problems: [{ heading: 'Length', field: 'length', reason: 'No.' }],
    },
    {
      ...{ line: 5, cells: ['', '7'] },
      problems: [{ heading: undefined, field: 'name', reason: 'Missing.' }],
    },
  ]);
  const corrected = withCell(rejects, 3, 1, '12, about');
  expect(corrected.rows.map(({ problems }) => problems.length)).toEqual([0, 1]);
  expect(await correctedFile(corrected).text()).toBe('Boat,Length\n=Hope,"12, about"\n,7\n');
  expect((await readRejects(client, job, file, 1)).rows.length).toBe(1);
});

test('rejected JSON lines have no cells, and are saved as JSON lines', async () => {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const response = () => new Response('{"_line":1,"a":"x, y"}\n', { headers });
  const client = { imports: { rejects: async () => response() } } as unknown as Client;
  const rejects = await readRejects(
    client,
    { id: 'x', problems: [] },
    { number: 1, mapping: undefined },
  );
  expect(rejects).toEqual({ headings: [], rows: [] });
  expect([endingOf(response()), endingOf(new Response('a'))]).toEqual(['.jsonl', '.csv']);
});

test('the rejected rows of a file have its problems, and those that the job leaves out', async () => {
  const text =
    '_line,_field,_reason,Deal,Sum\n2,amount,No.,Rope,many\n9,"amount, name",No. No.,,x\n4,amount,No.,Net,y\n';
  const asked: unknown[] = [];
  const rejects = async (_id: string, { file }: { readonly file: number }) => {
    asked.push(file);
    return new Response(text);
  };
  const client = { imports: { rejects } } as unknown as Client;
  const problems = [
    { file: 1, line: 2, field: 'length', reason: 'Of another file.' },
    { file: 2, line: 2, field: 'amount', reason: 'No.' },
  ];
  const mapping = { object_type: 'deals', columns: { Deal: 'name', Sum: 'amount' } } as never;
  const file = { number: 2, mapping };
  const { rows } = await readRejects(client, { id: 'x', problems }, file, 10);
  expect(asked).toEqual([2]);
  expect(rows.map((row) => row.problems)).toEqual([
    [{ heading: 'Sum', field: 'amount', reason: 'No.' }],
    [{ heading: undefined, field: '', reason: 'No. No.' }],
    [{ heading: 'Sum', field: 'amount', reason: 'No.' }],
  ]);
});

test('files of an import that have rejected rows are known by their places', () => {
  const file = (file_name: string, rejected: number, rest: object) =>
    ({ file_name, counts: { rejected }, ...rest }) as unknown as JobDetails['files'][number];
  const files = [
    file('a.csv', 0, { object_type: 'boats' }),
    file('b.csv', 3, { comments_on: 'deals' }),
  ];
  expect(filesWithRejects({ files })).toEqual([
    { number: 2, name: 'b.csv', type: 'deals', rejected: 3, mapping: undefined },
  ]);
});

test('an export asks the question of its list', () => {
  const where = [{ field: 'length', op: 'gt', value: 5 }] as const;
  const view = { ...PLAIN_VIEW, q: 'hope', where, sort: [{ key: 'length', isDescending: true }] };
  const choice = { format: 'csv', columns: 'shown', isForExcel: true, names: 'names' } as const;
  expect(exportBodyOf(BOATS, { ...view, fields: ['length'] }, choice)).toMatchObject({
    ...{ object_type: 'boats', format: 'csv', bom: true, query: 'hope', where: where[0] },
    ...{ fields: ['name', 'length'], sort: [{ field: 'length', direction: 'desc' }] },
  });
  const all = exportBodyOf(BOATS, PLAIN_VIEW, { ...choice, format: 'jsonl', columns: 'all' });
  expect(all).toEqual({ object_type: 'boats', format: 'jsonl', sort: [] });
  const sheet = exportBodyOf(BOATS, PLAIN_VIEW, { ...choice, format: 'xlsx', columns: 'all' });
  expect(sheet).toEqual({ object_type: 'boats', format: 'xlsx', names: true, sort: [] });
});

test('jobs have titles, shares and sizes', () => {
  const t = translate();
  const nameOf = (type: string) => (type === 'boats' ? 'Boats' : type);
  const title = (kind: string, about: Record<string, unknown>) =>
    titleOf({ kind, about }, nameOf, t);
  expect(title('import', { object_type: 'boats' })).toBe('Import into Boats');
  expect(title('import', { object_type: 'boats', dry_run: true })).toBe(
    'Check of an import into Boats',
  );
  expect(title('import', { file_count: 2 })).toBe('Import');
  expect(title('export', { object_type: 'boats' })).toBe('Export of Boats');
  expect(title('sweep', {})).toBe('sweep');
  expect(shareOf({ progress: { done: 1, total: 4 } })).toBe(0.25);
  expect(shareOf({ progress: { done: 1, total: null } })).toBeUndefined();
});
