// The common part of the tests of exports: the sample workspace with values of every kind, an empty one of the same
// definition whose people have other ids, and the way from one to the other.

import type { WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { exportRecords, type RecordExport } from '../../src/export/export-records.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import { importFile } from '../../src/import/import-file.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { openTestFiles, type TestFiles } from '../import/import-world.ts';
import { JSONB_TYPES, SAMPLE_DOCUMENT } from '../sample-definition.ts';
import { ACCEPTED } from '../sample-values.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

const DOCUMENT = {
  ...SAMPLE_DOCUMENT,
  objects: {
    ...SAMPLE_DOCUMENT.objects,
    knots: {
      name: 'Knots',
      singular_name: 'Knot',
      display_field: 'name',
      owned: false,
      fields: {
        name: { type: 'text' },
        next_id: { type: 'reference', reference_object_type: 'knots' },
      },
    },
    work_items: { fields: { size: { type: 'integer' }, colour: { type: 'text' } } },
  },
  workflows: {
    ...SAMPLE_DOCUMENT.workflows,
    work: {
      name: 'Work',
      initial: 'open',
      statuses: { open: { name: 'Open', transitions: ['done'] }, done: { name: 'Done' } },
    },
  },
  work_item_types: {
    job: { name: 'Job', prefix: 'JOB', workflow: 'work', fields: ['size'] },
    step: { name: 'Step', prefix: 'STEP', workflow: 'work', fields: ['colour'] },
  },
};

/** Texts that begin like formulas, or like the guard of one. */
export const FORMULAS = [
  ...['=1+1', '+49 30 1', '-5', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1'],
  ...["'=1", "''=1", "'", "''", "'a", "a'=1", ' =1', '"=1"', ';=1', ',=1', '=1\n=2'],
];

/** The formats, and tables with names. */
export type Form = RecordExport['format'] | 'csv names' | 'xlsx names';
const FORMS = ['csv', 'jsonl', 'xlsx', 'csv names', 'xlsx names'] as const;

export interface ExportWorld {
  readonly sample: SampleWorkspace;
  readonly files: TestFiles;
  /** An empty workspace for each form. */
  readonly copies: Readonly<Record<Form, WorkspaceRow>>;
  bytes(objectType: string, request?: Partial<RecordExport>): Promise<Buffer>;
  /** The text of an export. */
  text(objectType: string, request?: Partial<RecordExport>): Promise<string>;
  /** Export an object, import the file into the copy, and answer both tables as people see them. */
  move(objectType: string, form: Form): Promise<Moved>;
  close(): Promise<void>;
}

export interface Moved {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly rejections: readonly unknown[];
}

export async function openExportWorld(): Promise<ExportWorld> {
  const sample = await openSampleWorkspace(DOCUMENT);
  const { db, own, model } = sample;
  const users = Object.fromEntries(Object.entries(SAMPLE_DOCUMENT.users).toReversed());
  const document = { ...DOCUMENT, users };
  const copies = {} as Record<Form, WorkspaceRow>;
  for (const form of FORMS) {
    copies[form] = await createWorkspace(db, { slug: form.replace(' ', ''), document });
  }
  const files = openTestFiles();
  await fill(sample);

  async function bytes(objectType: string, request: Partial<RecordExport> = {}): Promise<Buffer> {
    const pieces: Buffer[] = [];
    const asked = { objectType, workspace: model.workspace, ...WHOLE, ...request };
    await exportRecords(db, asked, async (all) => {
      for await (const piece of all) pieces.push(Buffer.from(piece));
    });
    return Buffer.concat(pieces);
  }

  const table = async (schema: string, name: string) => {
    const rows = await own.rows(
      `select to_jsonb(t) - 'version' || jsonb_build_object(
          'created_by_user_id', (select email from ${schema}._users where id = t.created_by_user_id),
          'owner_user_id', (select email from ${schema}._users
            where id = (to_jsonb(t) ->> 'owner_user_id')::integer),
          'a_user', (select email from ${schema}._users
            where id = (to_jsonb(t) ->> 'a_user')::integer)) as record
        from ${schema}."${name}" t order by id`,
    );
    return rows.map(({ record }) => record);
  };

  return {
    sample,
    files,
    copies,
    bytes,
    text: async (objectType, request) => String(await bytes(objectType, request)),
    async move(objectType, form) {
      const [format, names] = form.split(' ') as [RecordExport['format'], 'names'?];
      const exported = await bytes(objectType, { format, names: names !== undefined });
      const file = files.put(`${objectType}.${format}`, exported);
      const rejections: unknown[] = [];
      await importFile(db, {
        workspace: copies[form],
        file,
        mapping: undefined,
        objectType,
        match: undefined,
        dryRun: false,
        rejectFile: undefined,
        user: undefined,
        output: { write: () => undefined },
        onReject: ({ row, problems }) => rejections.push([row.line, problems]),
      });
      const { table: name } = sample.object(objectType);
      const [before, after] = [
        await table(model.schema, name),
        await table(copies[form].schema, name),
      ];
      return { before, after, rejections };
    },
    async close() {
      files.remove();
      await own.drop();
    },
  };
}

const WHOLE = {
  format: 'csv',
  raw: false,
  as: undefined,
  filters: [],
  text: undefined,
  fields: undefined,
  sort: [],
} as const;

/** A record for each value of each type, with the people and times an import may bring. */
async function fill(sample: SampleWorkspace): Promise<void> {
  const anna = sample.caller('anna');
  const make = (objectType: string, rows: readonly Readonly<Record<string, unknown>>[]) =>
    write(sample, anna, objectType, rows);
  const parts = await make('parts', [{ label: 'Bolt' }, { label: '=2', weight: -5 }]);
  const people = ['ben', 'ian', 'bot'].map((name) => sample.caller(name).user.id);
  const most = Math.max(...Object.values(ACCEPTED).map((values) => values.length));
  const gadgets = Array.from({ length: Math.max(most, FORMULAS.length) }, (_, index) => {
    const values = Object.entries(ACCEPTED).flatMap(([type, accepted]) => {
      const given = accepted[index]?.[0] ?? null;
      if (type === 'reference' || type === 'user' || type === 'file') return [];
      return [[type, given] as const];
    });
    const custom = values.filter(([type]) => (JSONB_TYPES as readonly string[]).includes(type));
    return {
      name: FORMULAS[index] ?? `Gadget ${index}`,
      ...Object.fromEntries(values.map(([type, value]) => [`a_${type}`, value])),
      a_reference: parts[index % 3] ?? null,
      a_user: people[index % 4] ?? null,
      owner_user_id: people[index % 4] ?? null,
      created_by_user_id: people[index % 3],
      status: ['new', 'built', 'sold'][index % 3],
      created_at: `19${10 + index}-01-01T00:00:00.00${index % 10}Z`,
      updated_at: `20${10 + index}-01-01T00:00:00.00${index % 10}Z`,
      rating: index % 2 === 0 ? null : 5,
      custom_fields: {
        ...Object.fromEntries(custom.map(([type, value]) => [`x_${type}`, value])),
        x_secret: FORMULAS[index] ?? null,
        x_level: null,
      },
    };
  });
  await make('gadgets', gadgets);
  const knots = await make(
    'knots',
    // Names of two records lead to neither.
    ['a', 'b', 'c', 'a'].map((name) => ({ name })),
  );
  const { schema } = sample.model;
  // In a circle, to one of it, and to one that comes later.
  for (const [from, to] of [
    [0, 1],
    [1, 0],
    [2, 1],
    [3, 0],
  ] as const) {
    await sample.own.rows(`update ${schema}.knots set next_id = $2 where id = $1`, [
      knots[from],
      knots[to],
    ]);
  }
  const [job] = await make('work_items', [
    { work_item_type_id: 'job', title: 'Job', size: -3, public_id: 'JOB-77', status: 'done' },
  ]);
  await make('work_items', [
    { work_item_type_id: 'step', title: '-Step', colour: '=red', parent_work_item_id: job },
  ]);
}

async function write(
  { db, model, object }: SampleWorkspace,
  caller: Caller,
  objectType: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly string[]> {
  const operations = rows.map((fields) => ({ action: 'create', fields }) as const);
  const { results } = await writeRecords(
    { db, model, caller, requestId: null },
    object(objectType),
    { operations, source: 'import', batch: true },
  );
  return results.map(({ id }) => id);
}
