// `bulk`: one change of all records that match a condition, as a person, by the same job as over HTTP (D286).

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { answerWithJob } from '../api/job-shapes.ts';
import { presentRecord } from '../api/present.ts';
import { loadRefused, type RefusedRecord } from '../control/bulk-rows.ts';
import type { JobRow } from '../control/jobs.ts';
import { requireModel, type WorkspaceRow } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { explainRefusal } from '../export/refusal.ts';
import { changingMany } from '../flow/jobs/bulk-job.ts';
import { type BulkChange, rehearseBulk, requestBulk } from '../flow/jobs/bulk-request.ts';
import type { Asking } from '../flow/records/keyed-requests.ts';
import { requireMember } from '../import/importer.ts';
import { callerOf, SCOPES } from '../model/access.ts';
import { parseQuestion } from '../plan/question.ts';
import { requireObject } from '../plan/read-plan.ts';
import type { Database } from '../postgres/db.ts';
import { parseJson } from './json-option.ts';
import { remark, tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';
import { requireDone, workOff } from './work-off.ts';

interface BulkArguments {
  readonly workspace: string;
  readonly set?: string;
  readonly status?: string;
  readonly delete: boolean;
  readonly timezone?: string;
  readonly expect?: string;
  readonly dryRun: boolean;
  readonly user?: string;
}

const EXPLANATION = `
The condition is the JSON that POST /objects/{object_type}/records/query takes as "where". Each record is
changed once, by the rules and rights of a request. The command reports refused records and then exits with 1.
If the command is killed, a running service completes the change. Ctrl-C ends the change; records already changed
stay changed.

Examples:
  $ workspace-records bulk deals -w demo '{"field":"status","op":"eq","value":"new"}' --status lost --dry-run
  $ workspace-records bulk deals -w demo '{"field":"status","op":"eq","value":"new"}' --status lost --expect 120
  $ workspace-records bulk companies -w demo '{"field":"sector","op":"eq","value":"retial"}' \\
      --set '{"sector":"retail"}' --expect 3
`;
/** Refused records that are shown. */
const SHOWN = 10;

export function addBulkCommand(program: Command): void {
  program
    .command('bulk')
    .description(SUMMARIES.bulk)
    .argument('<object_type>', 'the object, such as deals')
    .argument('<where>', 'a condition as JSON')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--set <fields>', 'fields and their new values, as JSON')
    .option('--status <id>', 'the new status')
    .option('--delete', 'delete the records', false)
    .option('--timezone <name>', 'of days and months in the condition (default: UTC)')
    .option('--expect <number>', 'the expected number of records, as --dry-run reports it')
    .option('--dry-run', 'say how many records it is about, change none', false)
    .option('--user <email>', 'the person who changes them (default: the first administrator)')
    .addHelpText('after', EXPLANATION)
    .action(changeRecords);
}

async function changeRecords(
  objectType: string,
  where: string,
  options: BulkArguments,
  command: Command,
): Promise<void> {
  const change = changeOf(options);
  const condition = parseJson(where);
  const wrong =
    (typeof change === 'string' ? change : undefined) ??
    (condition === undefined ? 'the condition is not valid JSON' : undefined) ??
    (options.dryRun || options.expect !== undefined ? undefined : '--expect is missing') ??
    (/^[1-9]\d*$/.test(options.expect ?? '1') ? undefined : '--expect takes a number');
  if (wrong !== undefined) return command.error(`error: ${wrong}`, { exitCode: 2 });
  await withWorkspace(options.workspace, async (db, workspace) => {
    const asking = await askingAs(db, workspace, options.user);
    const { model, caller } = asking;
    const { timezone } = options;
    const selection = { where: condition, ...(timezone === undefined ? {} : { timezone }) };
    const request = await explainRefusal(async () => ({
      ...parseQuestion(selection, '', () => requireObject(model, caller, objectType)),
      change: change as BulkChange,
      request_id: `cmd_${randomUUID()}`,
      now: () => Date.now(),
    }));
    if (options.dryRun) {
      const { plan, count, rows } = await explainRefusal(() => rehearseBulk(asking, request));
      const shown = rows.map((row) => presentRecord(plan, row, caller));
      const cells = shown.map(({ id, display }) => [String(id), String(display ?? '')]);
      tell(`${objectType}: ${count} records, none of them changed (dry run).\n`);
      if (cells.length > 0) tell(table(['id', 'display'], cells));
      return;
    }
    const asked = { ...request, expected_count: Number(options.expect) };
    const { body } = await explainRefusal(() => requestBulk(asking, asked, answerWithJob));
    const { id } = (body as { readonly data: { readonly id: string } }).data;
    const row = await workOff(db, workspace, id, changingMany(db));
    report(objectType, row, await loadRefused(db, id, SHOWN));
  });
}

/** The change, or the problem of the call. */
function changeOf({ set, status, delete: isDelete }: BulkArguments): BulkChange | string {
  const given = [set, status, isDelete ? '' : undefined].filter((one) => one !== undefined);
  if (given.length !== 1) return 'give one of --set, --status and --delete';
  if (isDelete) return { action: 'delete' };
  if (status !== undefined) return { action: 'status', status_id: status };
  const fields = parseJson(set ?? '');
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  if (!isObject) return '--set takes a JSON object';
  return { action: 'update', fields: fields as Readonly<Record<string, unknown>> };
}

/** With all scopes and the rights of the person. */
async function askingAs(
  db: Database,
  workspace: WorkspaceRow,
  email: string | undefined,
): Promise<Asking> {
  const model = await requireModel(db, workspace);
  const member = await requireMember(db, model, email);
  if (!member.active) throw operatorError(`${member.email} is not active.`);
  const caller = callerOf(model, member, { kind: 'bulk', scopes: [...SCOPES] });
  return { db, model, caller, claim: undefined };
}

function report(objectType: string, row: JobRow, refused: readonly RefusedRecord[]): void {
  const { changed = 0, unchanged = 0, refused: count = 0 } = row.progress;
  for (const { record_id, field, reason } of refused) {
    remark(`${[record_id, field].filter((text) => text !== '').join(' ')}: ${reason}\n`);
  }
  if (Number(count) > refused.length) remark(`… and ${Number(count) - refused.length} more.\n`);
  tell(`${objectType}: ${changed} changed, ${unchanged} unchanged, ${count} refused.\n`);
  requireDone(row);
  if (Number(count) > 0) process.exitCode = 1;
}
