// `history`: the values that changes of a record have replaced, as a table or as JSON lines.

import type { Command } from 'commander';
import { requireModel } from '../control/workspaces.ts';
import { requireReader } from '../export/reader.ts';
import { explainRefusal } from '../export/refusal.ts';
import { type HistoryRow, readHistory } from '../flow/records/history-flow.ts';
import { LIMITS } from '../limits.ts';
import { requireObject } from '../plan/read-plan.ts';
import { requireReadableKey } from '../plan/resolve-field.ts';
import { remark, tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';

interface HistoryArguments {
  readonly workspace: string;
  readonly field?: string;
  readonly limit: string;
  readonly json: boolean;
  readonly as?: string;
}

export function addHistoryCommand(program: Command): void {
  program
    .command('history')
    .description(SUMMARIES.history)
    .argument('<object_type>', 'the object, such as deals')
    .argument('<id>', 'the record')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--field <key>', 'only changes of this field')
    .option('--limit <number>', 'changes to show', String(LIMITS.defaultPageSize.history))
    .option('--json', 'print JSON lines', false)
    .option('--as <email>', 'with the rights of this person (default: everything)')
    .action(printHistory);
}

async function printHistory(
  objectType: string,
  id: string,
  options: HistoryArguments,
  command: Command,
): Promise<void> {
  const limit = Number(options.limit);
  const { minimum, maximum } = LIMITS.pageSize;
  if (!Number.isInteger(limit) || limit < minimum || limit > maximum) {
    return command.error(`error: --limit takes ${minimum} to ${maximum}`, { exitCode: 2 });
  }
  await withWorkspace(options.workspace, async (db, workspace) => {
    const model = await requireModel(db, workspace);
    const caller = await requireReader(db, model, options.as);
    const page = await explainRefusal(async () => {
      const object = requireObject(model, caller, objectType);
      const { field: name } = options;
      const field = name === undefined ? undefined : requireReadableKey(caller, object, name);
      return readHistory({ db, model, caller }, object, { id, field, limit, cursor: undefined });
    });
    tell(options.json ? page.rows.map(jsonLine).join('') : tableOf(page.rows));
    if (page.next_cursor !== null) {
      remark(`The last ${page.rows.length}; --limit shows more.\n`);
    }
  });
}

function jsonLine({ revision, at, user_id, source, action, changes }: HistoryRow): string {
  return `${JSON.stringify({ revision, at, user_id, source, action, changes })}\n`;
}

const HEADER = ['revision', 'at', 'user', 'source', 'field', 'old', 'new'];

/** A line for each value. */
function tableOf(rows: readonly HistoryRow[]): string {
  if (rows.length === 0) return 'There are no changes.\n';
  const cells = rows.flatMap(({ revision, at, user_id, source, changes }) =>
    changes.map(({ field, old, new: now }) => [
      ...[String(revision), at, String(user_id), source, field],
      ...[wordsOf(old), wordsOf(now)],
    ]),
  );
  return table(HEADER, cells);
}

function wordsOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
