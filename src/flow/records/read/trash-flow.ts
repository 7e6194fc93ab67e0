// Deleted records that are kept: a page of them, one statement, and removing one for good (docs/design/trash.md).
// restore-flow.ts brings one back.

import { recordNotFound } from '../../../errors.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import {
  cursorAfterDeleted,
  planTrashPage,
  type TrashPagePlan,
  type TrashRequest,
  type TrashScope,
} from '../../../plan/write/trash-plan.ts';
import type { Row } from '../../../postgres/db.ts';
import type { Actor, AuditEntry } from '../../../sql/events/audit-sql.ts';
import { toStatement } from '../../../sql/sql.ts';
import { lockTrashedSql, trashPageSql } from '../../../sql/write/trash-sql.ts';
import type { Lookup } from '../lookups.ts';
import { actorOf } from '../write-actor.ts';
import { explainUnplanned } from '../write-failure.ts';
import {
  type LookedUp,
  type PlannedRequest,
  type WriteContext,
  writeAlone,
} from '../write-group.ts';
import { type Page, pageOf } from './read-flow.ts';
import { ask, type ReadContext } from './read-statement.ts';

/** One page of the deleted records of an object, the last deleted first. Errors: those of `planTrashPage`. */
export async function readDeleted(
  context: ReadContext,
  scope: TrashScope,
  request: TrashRequest,
): Promise<Page<TrashPagePlan>> {
  const plan = planTrashPage(scope, request);
  // A text is planned for itself, as those of lists are.
  const planning = plan.text === undefined ? {} : { prepare: false };
  const rows = await ask(context, toStatement(trashPageSql(plan)), planning);
  return pageOf(plan, rows, plan.limit, (last) => cursorAfterDeleted(scope, plan, last));
}

/** Remove a deleted record for good. Errors: `record_not_found`. */
export function purgeDeleted(context: WriteContext, scope: TrashScope, id: string): Promise<void> {
  const { object } = scope;
  const actor = trashActor(context);
  return writeAlone<void>({
    ...trashRequest(context, scope, id),
    keyed: undefined,
    async validate(_, looked) {
      const { id: found } = requireTrashed(looked);
      const mutation = { kind: 'purge', object, id: String(found) } as const;
      const audit = [trashEntry({ actor, scope }, String(found), 'purge')];
      return {
        effects: { steps: [{ mutation, audit }], search: [], placedItems: [] },
        predictRecords: () => new Map(),
        respond: () => undefined,
      };
    },
  });
}

/** The common part of requests about a record in the trash, which they lock. */
export function trashRequest(
  context: WriteContext,
  { object, reaches }: TrashScope,
  id: string,
): Pick<PlannedRequest<never>, 'context' | 'object' | 'optimistic' | 'lookups' | 'explain'> {
  const { db, model } = context;
  const { object_type: objectType } = object;
  const known = parseRecordId(id);
  const locked =
    known === undefined ? [] : [lockTrashedSql(model.schema, object, { id: known, reaches })];
  const lookups = locked.map((locking): Lookup => {
    return { kind: 'rows', objectType, statement: toStatement(locking) };
  });
  return {
    context,
    object,
    optimistic: undefined,
    lookups: () => lookups,
    explain: (error) => explainUnplanned(db, model, error),
  };
}

/** The locked row. Errors: `record_not_found`, for people who may not know of it as well. */
export function requireTrashed({ lookups, answers }: LookedUp): Row {
  const place = lookups.findIndex(({ kind }) => kind === 'rows');
  const [row] = answers[place] ?? [];
  if (row === undefined) throw recordNotFound();
  return row;
}

/** A person, with a key or in a session, or by a command. */
export function trashActor(context: WriteContext): Actor {
  return actorOf(context, 'api', null);
}

interface TrashAuthor {
  readonly actor: Actor;
  readonly scope: TrashScope;
}

/** The audit row of a change of the trash; without a revision it is no event. */
export function trashEntry(
  { actor, scope: { object } }: TrashAuthor,
  record_id: string,
  action: 'restore' | 'purge',
): AuditEntry {
  const { object_type } = object;
  return { actor, object_type, record_id, action, changed_fields: [], revision: null };
}
