// `trash`: deleted records that can be restored, as a person, by the functions that requests end in (docs/design/trash.md).

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { answerOfRestore, presentDeleted } from '../api/trash-routes.ts';
import { requireModel } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { explainRefusal } from '../export/refusal.ts';
import { restoreDeleted } from '../flow/records/restore-flow.ts';
import { purgeDeleted, readDeleted } from '../flow/records/trash-flow.ts';
import type { WriteContext } from '../flow/records/write-group.ts';
import { requireMember } from '../import/importer.ts';
import { LIMITS } from '../limits.ts';
import { callerOf, SCOPES } from '../model/access.ts';
import { requireTrash, type TrashScope } from '../plan/trash-plan.ts';
import { remark, tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';

interface TrashArguments {
  readonly workspace: string;
  readonly user?: string;
}

interface ListArguments extends TrashArguments {
  readonly query?: string;
  readonly json: boolean;
}

const EXPLANATION = `
Objects whose definition has "trash" keep their deleted records for a while. A restored record has its id, its
values, its comments and its links.

Examples:
  $ workspace-records trash list deals -w demo -q acme
  $ workspace-records trash restore deals 01900000-0000-7000-8000-000000000000 -w demo
`;

type Work = (context: WriteContext, scope: TrashScope) => Promise<void>;

export function addTrashCommand(program: Command): void {
  const trash = program.command('trash').description(SUMMARIES.trash);
  trash.addHelpText('after', EXPLANATION);
  const command = (name: string, description: string) =>
    trash
      .command(name)
      .description(description)
      .requiredOption('-w, --workspace <slug>', 'the workspace')
      .option('--user <email>', 'the person who does it (default: the first administrator)');
  command('list <object_type>', 'Show the deleted records, the last deleted first.')
    .option('-q, --query <text>', 'text in the display field')
    .option('--json', 'print JSON lines', false)
    .action(list);
  command('restore <object_type> <id>', 'Restore a deleted record.').action(restore);
  command('purge <object_type> <id>', 'Remove a deleted record for good.').action(purge);
}

/** Run with all rights of the person, and explain what is refused. */
async function asPerson(
  objectType: string,
  { workspace: slug, user }: TrashArguments,
  work: Work,
): Promise<void> {
  await withWorkspace(slug, async (db, workspace) => {
    const model = await requireModel(db, workspace);
    const member = await requireMember(db, model, user);
    if (!member.active) throw operatorError(`${member.email} is not active.`);
    const caller = callerOf(model, member, { kind: 'bulk', scopes: [...SCOPES] });
    const context = { db, model, caller, requestId: `cmd_${randomUUID()}` };
    await explainRefusal(() => work(context, requireTrash(model, caller, objectType)));
  });
}

function list(objectType: string, { query: q, json, ...options }: ListArguments): Promise<void> {
  return asPerson(objectType, options, async (context, scope) => {
    const limit = LIMITS.pageSize.maximum;
    const request = { q, deleted_by: undefined, limit, cursor: undefined };
    const { plan, rows, next_cursor } = await readDeleted(context, scope, request);
    const found = rows.map((row) => presentDeleted(plan, row, context.caller));
    if (json) tell(found.map((one) => `${JSON.stringify(one)}\n`).join(''));
    else {
      const cells = found.map(({ id, display, deleted_at, restorable_until }) =>
        [id, display ?? '', deleted_at, restorable_until].map(String),
      );
      tell(table(['id', 'display', 'deleted at', 'restorable until'], cells));
    }
    if (next_cursor !== null) remark(`The first ${limit}; --query shows others.\n`);
  });
}

function restore(objectType: string, id: string, options: TrashArguments): Promise<void> {
  return asPerson(objectType, options, async (context, scope) => {
    const { caller } = context;
    const respond = (restored: Parameters<typeof answerOfRestore>[0]) =>
      answerOfRestore(restored, caller);
    const { body } = await restoreDeleted(context, { scope, id, claim: undefined, respond });
    tell(`${JSON.stringify((body as { readonly data: unknown }).data)}\n`);
  });
}

function purge(objectType: string, id: string, options: TrashArguments): Promise<void> {
  return asPerson(objectType, options, async (context, scope) => {
    await purgeDeleted(context, scope, id);
    tell(`${objectType} ${id} is removed for good.\n`);
  });
}
