// The laws of every kind of definition change, in a real database: the plan names it, a loss is named, counted and
// refused until it is allowed, the tables and people are those of a workspace made with the new document, the same
// document again is not a change, and a rename can be undone.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDocumentPeople } from '../../src/control/people/document-people.ts';
import {
  findWorkspace,
  loadDefinition,
  type WorkspaceRow,
} from '../../src/control/workspace/workspaces.ts';
import { applyDefinition, planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { planForRequest } from '../../src/definitions/apply/definition-requests.ts';
import { viewChange } from '../../src/definitions/changes/change-view.ts';
import { CHANGE_KINDS } from '../../src/definitions/changes/kinds/index.ts';
import { refusalOf } from '../../src/definitions/document/refusals.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Row } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { catalogOf } from '../moved-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { CAR, CHANGE_SAMPLES, type ChangeSample, START } from './change-samples.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

const CAR_ID = '01900000-0000-7000-8000-000000000001';
const OTHER_ID = '01900000-0000-7000-8000-000000000002';

interface Trial {
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly sample: ChangeSample;
  /** Has `before`, with rows. */
  readonly workspace: WorkspaceRow;
  readonly before: unknown;
  readonly after: unknown;
  readonly allowDrop: readonly string[];
}

async function prepare(kind: Trial['kind']): Promise<Trial> {
  const sample = CHANGE_SAMPLES[kind];
  const before = mergePatch(START, sample.before ?? {});
  const after = mergePatch(before, sample.after);
  const slug = kind.replaceAll('_', '');
  const [workspace] = await Promise.all([
    createWorkspace(own.db, { slug, document: before }),
    createWorkspace(own.db, { slug: newSlug(slug), document: after }),
  ]);
  await insertRows(workspace, sample);
  const allowDrop = sample.loss === undefined ? [] : [sample.loss];
  return { kind, sample, workspace, before, after, allowDrop };
}

/** The workspace that is made with `after`. */
function newSlug(slug: string): string {
  return `${slug}-new`;
}

/** A car, a link, and the rows of the sample. */
async function insertRows({ schema }: WorkspaceRow, { rows = {} }: ChangeSample): Promise<void> {
  for (const [table, values] of Object.entries({ ...rows, cars: { ...CAR, ...rows.cars } })) {
    const common = table.startsWith('_') ? {} : { id: CAR_ID, created_by_user_id: 1 };
    const row = { ...common, ...values };
    const marks = Object.keys(row).map((_, index) => `$${index + 1}`);
    const text = `insert into ${schema}.${table} (${Object.keys(row)}) values (${marks})`;
    await own.rows(text, Object.values(row));
  }
  const links = `insert into ${schema}._links (relationship, from_id, to_id, from_one, to_one)`;
  await own.rows(`${links} values ('pairs', $1, $2, false, false)`, [CAR_ID, OTHER_ID]);
}

/** The tables, by the keys of the definition, and the people. */
async function stateOf(slug: string): Promise<unknown> {
  const workspace = (await findWorkspace(own.db, slug)) as WorkspaceRow;
  const { schema } = workspace;
  const { storage = {} } = (await loadDefinition(own.db, workspace)) ?? {};
  const names = Object.entries(storage).flatMap(([type, { table, columns = {} }]) => [
    ...(table === undefined ? [] : [[type, table] as const]),
    ...Object.entries(columns),
  ]);
  const byKeys = (line: string) =>
    names.reduce((text, [key, name]) => text.replaceAll(name, key), line.replaceAll('"', ''));
  const catalog = await catalogOf(own, schema);
  const { users, teams } = await loadDocumentPeople(own.db, schema, ['North']);
  return { tables: catalog.map(byKeys).sort(), users, teams };
}

/** Rows of records, links and people, as they are stored. */
async function rowsOf({ schema }: WorkspaceRow): Promise<readonly unknown[]> {
  const tables = await own.rows(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'r'
      and (relname not like '\\_%' or relname in ('_links', '_users')) order by 1`,
    [schema],
  );
  const rows = ({ name }: Row) =>
    own.rows(`select to_jsonb(t) from ${schema}."${name}" t order by 1`);
  return Promise.all(tables.map(rows));
}

test('every kind has a sample', () => {
  expect(Object.keys(CHANGE_SAMPLES).toSorted()).toEqual(CHANGE_KINDS.toSorted());
});

test.concurrent.each(CHANGE_KINDS)('%s', async (kind) => {
  const trial = await prepare(kind);
  await requireNamedInPlan(trial);
  await requireAllowance(trial);
  const rows = await rowsOf(trial.workspace);
  await requireEffect(trial);
  await requireNothingTwice(trial);
  await requireWayBack(trial, rows);
});

async function requireNamedInPlan(trial: Trial): Promise<void> {
  const { kind, sample, workspace, after, allowDrop } = trial;
  const { path, action, loss, ends, alters } = sample;
  const { changes, problems, losses } = await planDefinition(own.db, workspace.slug, after, {
    allowDrop,
  });
  expect({ problems, losses }).toEqual({ problems: [], losses: [] });
  const found = changes.filter((change) => change.kind === kind);
  expect(found.map((change) => ({ ...viewChange(change), loss: change.loss }))).toContainEqual({
    ...{ path, action, loss: loss ?? null },
    summary: expect.stringMatching(/^[-+~] /),
    ...(action === 'rename' ? { from: expect.any(String) } : {}),
    ...(ends === undefined ? {} : { ends }),
    ...(alters === undefined ? {} : { alters }),
  });
}

/** A loss is counted, and refused without its name; then the data stays. */
async function requireAllowance({ sample, workspace, before, after }: Trial): Promise<void> {
  const { slug, id } = workspace;
  // A team that the document does not list stays, unless it is named.
  const losses = [sample.loss ?? 'team:'].filter((loss) => !loss.startsWith('team:'));
  const { changes } = await planForRequest(own.db, id, { patch: after }, true);
  const lost = changes.filter(({ effect }) => effect === 'loses');
  expect(lost.map(({ allow, rows }) => [allow, rows])).toEqual(losses.map((loss) => [loss, 1]));
  if (losses.length === 0) return;
  const state = await stateOf(slug);
  const refused = await applyDefinition(own.db, slug, after).catch(refusalOf);
  expect(refused).toMatchObject({ losses });
  expect(await stateOf(slug)).toEqual(state);
  expect((await planDefinition(own.db, slug, before)).changes).toEqual([]);
}

async function requireEffect({ sample, ...changed }: Trial): Promise<void> {
  const { workspace, after, allowDrop } = changed;
  const { slug, schema } = workspace;
  const planned = await planDefinition(own.db, slug, after, { allowDrop });
  const applied = await applyDefinition(own.db, slug, after, { allowDrop });
  expect(applied.changes.map(viewChange)).toEqual(planned.changes.map(viewChange));
  expect(await stateOf(slug)).toEqual(await stateOf(newSlug(slug)));
  if (sample.stored === undefined) return;
  const { table, value, are } = sample.stored;
  const rows = await own.rows(`select ${value} as value from ${schema}.${table} order by 1`);
  expect(rows).toEqual(are.map((one) => ({ value: one })));
}

async function requireNothingTwice({ workspace, after }: Trial): Promise<void> {
  const { changes, workspace: now } = await applyDefinition(own.db, workspace.slug, after);
  expect(changes).toEqual([]);
  expect(now.revision).toBe(workspace.revision + 1);
}

/** Records keep their versions, and have their values again. */
async function requireWayBack(
  { sample, workspace, after }: Trial,
  rows: readonly unknown[],
): Promise<void> {
  if (sample.action !== 'rename') return;
  await applyDefinition(own.db, workspace.slug, mergePatch(after, sample.back));
  expect(await rowsOf(workspace)).toEqual(rows);
}
