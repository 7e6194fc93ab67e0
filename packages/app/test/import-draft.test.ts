// Columns of a file become the mapping of an import: fields by name and content, words of options, forms, references.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { readBase } from '../../../src/definitions/document/definition-file.ts';
import { requireGoodDefinition } from '../../../src/definitions/document/definition-input.ts';
import type { Table } from '../../tables/src/reading.ts';
import { columnIn } from '../src/features/imports/column-forms.ts';
import { firstTypePatch } from '../src/features/imports/first-type.ts';
import {
  fieldMadeOf,
  foreignTexts,
  missingFields,
  planColumn,
  startDraft,
  type Target,
  withColumn,
  withMatch,
} from '../src/features/imports/import-draft.ts';
import { mappingOf } from '../src/features/imports/mapping-document.ts';
import { misfitFields } from '../src/features/imports/other-types.tsx';
import type { DefinitionDocument } from '../src/lib/definition/document.ts';
import { mergePatch } from '../src/lib/definition/edits.ts';
import { readTableFile as readTable } from '../src/lib/table-file.ts';

const field = (key: string, type = 'text', rest: Partial<Field> = {}): Field => ({
  ...{ key, name: null, type, required: false, editable: true, storage: 'physical' },
  ...{ storage_key: key, ...rest },
});
const object = (object_type: string, fields: readonly Field[]) =>
  ({
    ...{ object_type, name: null, singular_name: null, display_field: 'name', fields },
  }) as unknown as ObjectDefinition;

const STAGE = field('stage', 'select', {
  name: 'Stage',
  options: [{ value: 'won', label: 'Closed won' }, { value: 'lost' }],
});
const DEALS = object('deals', [
  field('name', 'text', { required: true }),
  field('code', 'text', { constraints: { unique: true } }),
  ...[field('amount', 'currency'), field('closes_on', 'date'), field('called_at', 'datetime')],
  ...[
    STAGE,
    field('tags', 'multi_select', {
      options: [{ value: 'hot' }, { value: 'new', label: 'New one' }],
    }),
  ],
  field('active', 'boolean'),
  field('company_id', 'reference', {
    name: 'Company',
    constraints: { reference_object_type: 'companies' },
  }),
  ...[field('owner_user_id', 'user', { name: 'Owner' }), field('id')],
]);
const COMPANIES = object('companies', [field('name'), field('email', 'email'), field('id')]);
const TARGET: Target = {
  object: DEALS,
  head: { object_type: 'deals' },
  others: new Map([['companies', COMPANIES]]),
};

const tableOf = (...lines: readonly string[]) => readTable(new Blob([lines.join('\n')]));
const draftOf = (table: Table) => startDraft(TARGET, table);
const columnsOf = async (...lines: readonly string[]) => {
  const table = await tableOf(...lines);
  return mappingOf(TARGET, draftOf(table), table).columns;
};

test('columns with the names of fields need no conversions', async () => {
  expect(await columnsOf('Name,CODE,Nothing', 'Rope,R1,x')).toEqual({ Name: 'name', CODE: 'code' });
});

test('labels and values are both known, in any case; other words are said', async () => {
  const table = await tableOf('Name,Stage', 'A,Closed won', 'B,LOST', 'C,Maybe', 'D,won');
  const draft = draftOf(table);
  const [, plan] = draft.columns;
  expect(plan?.values).toEqual({ 'Closed won': 'won', LOST: 'lost' });
  expect(foreignTexts(STAGE, { separator: undefined }, table.columns[1])).toEqual([
    ...['Closed won', 'LOST', 'Maybe'],
  ]);
});

test('a column whose content is that of an option finds it under another name', async () => {
  expect(await columnsOf('Name,Where it is', 'A,won', 'B,lost')).toMatchObject({
    'Where it is': 'stage',
  });
});

test('numbers, times, truths and lists are written for the service', async () => {
  const columns = await columnsOf(
    'Name;Amount;Closes on;Active;Tags',
    'A;1.200,50 €;31.01.2026;ja;New one,hot',
    'B;7,00 €;1.2.2026;nein;hot',
  );
  expect(columns).toEqual({
    Name: 'name',
    Amount: {
      field: 'amount',
      replace: [
        { text: ' €', with: '' },
        { text: '.', with: '' },
        { text: ',', with: '.' },
      ],
    },
    'Closes on': { field: 'closes_on', format: 'D.M.YYYY' },
    Active: { field: 'active', values: { ja: true, nein: false } },
    Tags: { field: 'tags', values: { 'New one': 'new' }, separator: ',' },
  });
});

test('a few words among numbers and dates do not hide how the others are written', async () => {
  expect(
    await columnsOf(
      'Name;Amount;Closes on',
      'A;1.200,50;31.01.2026',
      'B;7,5;1.2.2026',
      'C;many;soon',
    ),
  ).toMatchObject({
    Amount: {
      replace: [
        { text: '.', with: '' },
        { text: ',', with: '.' },
      ],
    },
    'Closes on': { format: 'D.M.YYYY' },
  });
});

test('times without an offset are those of the browser', async () => {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await columnsOf('Name,Called at', 'A,2026-01-31 10:00')).toMatchObject({
    'Called at': { field: 'called_at', timezone },
  });
  expect(await columnsOf('Name,Called at', 'A,2026-01-31T10:00Z')).toMatchObject({
    'Called at': 'called_at',
  });
});

test.each([
  ['Acme', { lookup: { object_type: 'companies', field: 'name' } }],
  ['a@acme.example', { lookup: { object_type: 'companies', field: 'email' } }],
])('a reference named %s is looked up', async (text, how) => {
  expect(await columnsOf('Name,Company', `A,${text}`)).toMatchObject({
    Company: { field: 'company_id', ...how },
  });
});

test('a reference by its id, and people by address or name', async () => {
  const id = '01900000-0000-7000-8000-000000000000';
  expect(await columnsOf('Name,Company,Owner', `A,${id},ada@acme.example`)).toEqual({
    ...{ Name: 'name', Company: 'company_id' },
    Owner: { field: 'owner_user_id', fallback: null },
  });
  expect(await columnsOf('Name,Owner', 'A,Ada Lovelace')).toEqual({
    ...{ Name: 'name', Owner: { field: 'owner_user_id', user: 'name', fallback: null } },
  });
});

test('rows match by the unique field of the file, and by ids alone', async () => {
  expect(draftOf(await tableOf('Name,Code', 'A,1')).match).toEqual(['code']);
  const id = '01900000-0000-7000-8000-000000000000';
  const draft = draftOf(await tableOf('Id,Name,Code', `${id},A,1`));
  expect(draft.match).toEqual(['id']);
  expect(withMatch(DEALS, draft, ['code']).match).toEqual(['id']);
  expect(draftOf(await tableOf('Name', 'A')).match).toEqual([]);
});

test('required fields without a column are said, until a constant or another column gives them', async () => {
  const table = await tableOf('Label,Code', 'A,1');
  const draft = draftOf(table);
  expect(missingFields(DEALS, draft).map(({ key }) => key)).toEqual(['name']);
  expect(missingFields(DEALS, { ...draft, constants: { name: 'x' } })).toEqual([]);
  const plan = planColumn(TARGET, columnIn(table, 'Code'), 'name');
  const changed = withColumn(TARGET, draft, plan);
  expect([missingFields(DEALS, changed), changed.match]).toEqual([[], []]);
});

test('a field is written by one column', async () => {
  const table = await tableOf('Name,Other', 'A,B');
  const plan = planColumn(TARGET, columnIn(table, 'Other'), 'name');
  const { columns } = withColumn(TARGET, draftOf(table), plan);
  expect(columns.map(({ heading, field: key }) => [heading, key])).toEqual([
    ...[
      ['Name', undefined],
      ['Other', 'name'],
    ],
  ]);
});

test('records that are not found leave their field empty where a person says so', async () => {
  const table = await tableOf('Name,Company', 'A,Acme');
  const draft = draftOf(table);
  const columns = draft.columns.map((plan) => ({ ...plan, missing: 'empty' as const }));
  expect(mappingOf(TARGET, { ...draft, columns }, table).columns).toMatchObject({
    ...{ Name: 'name', Company: { fallback: null } },
  });
});

test('the day of a time counts in the zone of the heading, and of midnights as it is', async () => {
  expect(await columnsOf('Name,Closes on (CET)', 'A,2026-01-31T23:30:00Z')).toMatchObject({
    'Closes on (CET)': { timezone: 'CET' },
  });
  expect(await columnsOf('Name,Closes on', 'A,2026-01-31T00:00:00.000Z')).toMatchObject({
    'Closes on': 'closes_on',
  });
});

test('the lists of a board become the statuses of the first type of work items', async () => {
  const table = await tableOf(
    'Name,Description,List,Labels,Due',
    ...['A,,Backlog,x,', 'B,,Doing,,', 'C,,Done,,', 'D,,Doing,,'],
  );
  const names = { type: 'Task', workflow: 'Tasks', statuses: ['To do', 'Done'] };
  expect(firstTypePatch(table, names, ['tasks'])).toEqual({
    workflows: {
      tasks_2: {
        name: 'Tasks',
        initial: 'backlog',
        statuses: {
          backlog: { name: 'Backlog', transitions: ['doing', 'done'] },
          doing: { name: 'Doing', transitions: ['backlog', 'done'] },
          done: { name: 'Done', transitions: ['backlog', 'doing'], category: 'done' },
        },
      },
    },
    work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'tasks_2' } },
  });
  const plain = firstTypePatch(await tableOf('Name', 'A'), names, []);
  const made = mergePatch(readBase() as DefinitionDocument, plain);
  const { problems } = await requireGoodDefinition({ document: made }).then(
    () => ({ problems: [] }),
    (error: { details?: unknown }) => ({ problems: [error] }),
  );
  expect(problems).toEqual([]);
});

test('a required field with one option has it in all rows', async () => {
  const type = field('type', 'select', { required: true, options: [{ value: 'task' }] });
  const object = { ...DEALS, fields: [...DEALS.fields, type] } as ObjectDefinition;
  const table = await tableOf('Name', 'A');
  expect(startDraft({ ...TARGET, object }, table).constants).toEqual({ type: 'task' });
});

test('an empty cell is no reason for another type of its field', () => {
  const problem = { heading: 'Name', field: 'name', reason: 'The value must not be empty.' };
  const rows = [
    { line: 2, cells: ['', 'x'], problems: [problem] },
    { line: 3, cells: ['A', 'many'], problems: [{ ...problem, heading: 'Sum', field: 'amount' }] },
  ];
  expect([...misfitFields({ headings: ['Name', 'Sum'], rows })]).toEqual(['amount']);
});

test('first and last names are parts of the name, and no fields of their own are offered for them', async () => {
  const draft = draftOf(await tableOf('First name,Last name,Age', 'Ada,Lovelace,36'));
  const headings = draft.columns.map(({ heading }) => heading);
  expect(headings.map((heading) => fieldMadeOf(draft, heading))).toEqual([
    'name',
    'name',
    undefined,
  ]);
});
