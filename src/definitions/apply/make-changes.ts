// The changes of a definition made in the database, in the caller's transaction: statements of ddl-sql.ts,
// people, what is left over; and the failures that the data causes, in words.

import { putTeamMembers, putTeams, putUsers } from '../../control/people/document-people.ts';
import { notePeople } from '../../control/people/people.ts';
import { deleteTeam } from '../../control/people/teams.ts';
import { appendLeftover } from '../../control/stored/leftover-rows.ts';
import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { StoredName } from '../../model/definition/storage-names.ts';
import { isDatabaseError, type Queryable, type Transaction } from '../../postgres/db.ts';
import { runAllOnce, runOnce } from '../../postgres/run-once.ts';
import { type Sql, toStatement } from '../../sql/sql.ts';
import { numberingSql } from '../../sql/write/work-item-sql.ts';
import type { Change } from '../changes/change.ts';
import { type DdlOptions, type DdlStatement, ddlSql } from '../changes/ddl-sql.ts';
import { kindOf } from '../changes/kinds/index.ts';
import type { ValueBuild } from '../changes/value-build.ts';
import type { BuiltValue } from '../changes/value-sql.ts';
import { refuse } from '../document/refusals.ts';

/** Answers the names of the indexes it made. `model` is that of the new definition. */
export async function makeChanges(
  tx: Queryable,
  model: WorkspaceModel,
  changes: readonly Change[],
  options: DdlOptions,
): Promise<readonly string[]> {
  const { schema } = model;
  const statements = ddlSql(schema, changes, options);
  for (const { statement, change } of statements) {
    await runOnce(tx, statement).catch((error: unknown) => {
      throw explainFailure(error, change.summary);
    });
  }
  await noteLeftovers(tx, schema, changes, options.values);
  if (await changePeople(tx, schema, changes)) await notePeople(tx, schema);
  for (const statement of numberingsOf(model)) await runOnce(tx, statement);
  return indexesMadeBy(statements);
}

/** Makes the changes of the first definition of a workspace: tables and counters in one round trip. */
export async function makeNew(
  tx: Transaction,
  model: WorkspaceModel,
  changes: readonly Change[],
  options: DdlOptions,
): Promise<readonly string[]> {
  const { schema } = model;
  const tables = ddlSql(schema, changes, options);
  const statements = [...tables.map(({ statement }) => statement), ...numberingsOf(model)];
  await runAllOnce(tx, statements.map(toStatement)).catch((error: unknown) => {
    throw explainFailure(error, `make the tables of ${schema}`);
  });
  await changePeople(tx, schema, changes);
  return indexesMadeBy(tables);
}

function indexesMadeBy(statements: readonly DdlStatement[]): readonly string[] {
  return statements.flatMap(({ index }) => (index === undefined ? [] : [index.name]));
}

/** A counter for each prefix of work items. */
function numberingsOf({ schema, work_item_types }: WorkspaceModel): readonly Sql[] {
  return [...work_item_types.values()].map(({ prefix }) => numberingSql(schema, prefix));
}

/** True when somebody was changed. */
async function changePeople(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
): Promise<boolean> {
  const written = changes.flatMap((change) => kindOf(change).people?.(change) ?? []);
  const users = written.flatMap((people) => people.users ?? []);
  const teams = written.flatMap((people) => people.teams ?? []);
  if (users.length > 0) await putUsers(tx, schema, users);
  if (teams.length > 0) {
    await putTeams(tx, schema, teams);
    await putTeamMembers(tx, schema, teams);
  }
  for (const name of written.flatMap(({ droppedTeams = [] }) => droppedTeams)) {
    await deleteTeam(tx, schema, { name });
  }
  return written.length > 0;
}

/** Notes the leftovers of the changes, to be deleted in portions (D261). */
async function noteLeftovers(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
  values: readonly BuiltValue[] = [],
): Promise<void> {
  const left = [...changes.flatMap(leftBy), ...values.flatMap(({ build }) => placeBefore(build))];
  for (const name of left) await appendLeftover(tx, schema, name);
}

/** An old column is dropped at once. */
function placeBefore({ object, from }: ValueBuild): readonly StoredName[] {
  if (from.storage === 'physical') return [];
  return [{ kind: 'custom', table_name: object.table, name: from.custom_key }];
}

/** True when a job has to delete something. */
export function leavesData(change: Change): boolean {
  const rebuilt = kindOf(change).rebuilds?.(change) ?? [];
  // The column of statuses before is dropped at once.
  return leftBy(change).length > 0 || rebuilt.some(({ status }) => status === undefined);
}

function leftBy(change: Change): readonly StoredName[] {
  return kindOf(change).leaves?.(change) ?? [];
}

/** Failures that the data or the rights of the database user cause, not the service. */
const EXPLAINED = /^(?:22|23|42P06|42P07|42501|54)/;

/** The codes of failures whose message may contain a value; the detail of any failure may. */
const OF_VALUES = /^22/;

/** The operator is told all; a request is told no values, which it may not be allowed to read. */
export function explainFailure(error: unknown, summary: string): unknown {
  if (!isDatabaseError(error) || !EXPLAINED.test(error.code ?? '')) return error;
  const { code = '', detail } = error;
  const text = `"${summary}" failed: ${error.message}.${detail === undefined ? '' : ` ${detail}`}`;
  const reason = OF_VALUES.test(code) ? `a stored value does not fit (${code})` : error.message;
  const message = say('step_failed', { step: summary, reason });
  return refuse(`Nothing was changed; ${text}`, { problems: [{ path: '', message }] }, error);
}
