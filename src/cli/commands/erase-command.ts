// `erase`: records and everything that the service has of them, by the same job as over HTTP (docs/design/erasure.md);
// with `--rewrite` the bytes in the files of the database as well.

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { answerWithJob, presentJob } from '../../api/jobs/job-shapes.ts';
import { loadRefused } from '../../control/jobs/bulk-rows.ts';
import { overwriteLog, rewriteTables, tablesWithTraces } from '../../control/stored/dead-rows.ts';
import { requireModel, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import { explainRefusal } from '../../export/refusal.ts';
import { openFileStore } from '../../files/file-store.ts';
import type { FileStore } from '../../files/stored-bytes.ts';
import { erasing } from '../../flow/jobs/erasure-job.ts';
import { requestErasure } from '../../flow/jobs/erasure-request.ts';
import { requireMember } from '../../import/importer.ts';
import { LIMITS } from '../../limits.ts';
import { callerOf, SCOPES } from '../../model/rights/access.ts';
import type { Database } from '../../postgres/db.ts';
import { remark, tell } from '../say.ts';
import { table } from '../table.ts';
import { withWorkspace } from '../with-workspace.ts';
import { requireDone, workOff } from '../work-off.ts';
import { SUMMARIES } from './summaries.ts';

interface EraseArguments {
  readonly workspace: string;
  readonly dryRun: boolean;
  readonly rewrite: boolean;
  readonly user?: string;
}

const EXPLANATION = `
Erases records that exist, that are in the trash, or that are gone, with their history, comments, links, stored
responses, and the files of imports and exports. The audit keeps ids. Backups and archived logs are not changed.

--rewrite also removes the bytes of erased rows from the files of the database: it rewrites the tables, each of which
is closed to clients meanwhile, and the write-ahead log. Without records it does only this.

Examples:
  $ workspace-records erase contacts/01900000-0000-7000-8000-000000000000 -w demo --dry-run
  $ workspace-records erase contacts/01900000-0000-7000-8000-000000000000 -w demo --rewrite
`;

export function addEraseCommand(program: Command): void {
  program
    .command('erase')
    .description(SUMMARIES.erase)
    .argument('[records...]', 'object type and id of each record, such as contacts/ID')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--dry-run', 'count what would be removed, change nothing', false)
    .option(
      '--rewrite',
      'then remove the bytes of erased rows from the files of the database',
      false,
    )
    .option('--user <email>', 'the administrator who does it (default: the first one)')
    .addHelpText('after', EXPLANATION)
    .action(erase);
}

async function erase(
  names: readonly string[],
  options: EraseArguments,
  command: Command,
): Promise<void> {
  const records = names.map(parseRecord);
  const wrong =
    (names.length === 0 && !options.rewrite ? 'name at least one record' : undefined) ??
    (names.length > LIMITS.erasedRecords
      ? `name at most ${LIMITS.erasedRecords} records`
      : undefined) ??
    (options.rewrite && options.dryRun ? '--rewrite does not go with --dry-run' : undefined) ??
    (records.includes(undefined) ? 'name each record like contacts/ID' : undefined);
  if (wrong !== undefined) return command.error(`error: ${wrong}`, { exitCode: 2 });
  await withWorkspace(options.workspace, async (db, workspace, config) => {
    if (names.length > 0) {
      const store = openFileStore(config);
      await eraseRecords(db, workspace, records as readonly NamedRecord[], { ...options, store });
    }
    if (options.rewrite) await rewrite(db, workspace);
  });
}

interface NamedRecord {
  readonly object_type: string;
  readonly id: string;
}

function parseRecord(name: string): NamedRecord | undefined {
  const [object_type, id, ...rest] = name.split('/');
  return object_type && id && rest.length === 0 ? { object_type, id } : undefined;
}

async function eraseRecords(
  db: Database,
  workspace: WorkspaceRow,
  records: readonly NamedRecord[],
  { dryRun: dry_run, user, store }: EraseArguments & { readonly store: FileStore },
): Promise<void> {
  const model = await requireModel(db, workspace);
  const member = await requireMember(db, model, user);
  if (!member.active) throw operatorError(`${member.email} is not active.`);
  const caller = callerOf(model, member, { kind: 'bulk', scopes: [...SCOPES] });
  const request = { records, dry_run, request_id: `cmd_${randomUUID()}` };
  const asking = { db, model, caller, claim: undefined };
  const { body } = await explainRefusal(() => requestErasure(asking, request, answerWithJob));
  const { id } = (body as { readonly data: { readonly id: string } }).data;
  const row = await workOff(db, workspace, id, erasing(db, { store }));
  const { counts, notes } = presentJob(row, true);
  for (const { record_id, reason } of await loadRefused(db, id, LIMITS.erasedRecords)) {
    remark(`${record_id}: ${reason}\n`);
  }
  const cells = Object.entries(counts).filter(([, count]) => Number(count) > 0);
  tell(
    table(
      [dry_run ? 'would be erased' : 'erased', ''],
      cells.map((cell) => cell.map(String)),
    ),
  );
  for (const text of notes as readonly string[]) tell(`${text}\n`);
  requireDone(row);
  if (Number(counts.refused ?? 0) > 0) process.exitCode = 1;
}

async function rewrite(db: Database, workspace: WorkspaceRow): Promise<void> {
  const { schema, objects } = await requireModel(db, workspace);
  const names = [...objects.values()].map((object) => object.table);
  await rewriteTables(db, tablesWithTraces(schema, names));
  tell(`The tables of ${workspace.slug} are rewritten.\n`);
  if (await overwriteLog(db)) return;
  remark(
    'The role of the service may not overwrite the write-ahead log: the server does that with its next checkpoints.\n',
  );
}
