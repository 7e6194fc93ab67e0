// Deleted records of an object that are kept from now on, for another time, or no longer. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { identifier, literal, type Sql, sql } from '../../../sql/sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import type { Phased } from '../column-sql.ts';
import { hasNewForm } from '../stored-form.ts';
import { fieldName, fieldPath, type OfObject, objectPath } from './parts.ts';

export interface KeepTrash extends OfObject {
  readonly kind: 'keep_trash';
}

export interface DropTrash extends OfObject {
  readonly kind: 'drop_trash';
}

const ofTrash = Object.freeze({
  path: (step: OfObject) => `${objectPath(step)}.trash`,
  locks: () => ({ rewritten: ['_trash'] }),
});

/** Also for the records that are in the trash. */
export const keepTrash: ChangeKind<KeepTrash> = Object.freeze({
  ...ofTrash,
  kind: 'keep_trash',
  statements: (schema: string, { object }: KeepTrash): readonly Phased[] => {
    const { days = 0 } = object.trash ?? {};
    // Citus takes no function of a column that depends on the time zone of the session.
    const until = sql`(deleted_at at time zone 'UTC' + make_interval(days => ${days}::integer)) at time zone 'UTC'`;
    const statement = sql`update ${identifier(schema, '_trash')} set kept_until = ${until} ${of(object)}`;
    return [{ phase: 'columns', statement }];
  },
});

export const dropTrash: ChangeKind<DropTrash> = Object.freeze({
  ...ofTrash,
  kind: 'drop_trash',
  statements: (schema: string, { object }: DropTrash) => [
    forgetHistory(schema, object),
    emptyTrash(schema, object),
  ],
  loses: ({ object }: DropTrash) => ({ of: 'trash' as const, table: object.table }),
});

/** Removes all of an object for good. */
export function emptyTrash(schema: string, object: ObjectModel): Phased {
  const statement = sql`delete from ${identifier(schema, '_trash')} ${of(object)}`;
  return { phase: 'drop_tables', statement };
}

/** Deletes the history of the records in the trash. */
function forgetHistory(schema: string, { table }: ObjectModel): Phased {
  const statement = sql`delete from ${identifier(schema, '_history')} h using ${identifier(schema, '_trash')} d
      where d.table_name = ${literal(table)} and h.table_name = d.table_name and h.record_id = d.record_id`;
  return { phase: 'drop_tables', statement };
}

function of({ table }: ObjectModel): Sql {
  return sql`where table_name = ${literal(table)}`;
}

export function findTrash(old: ObjectModel, object: ObjectModel) {
  const { object_type } = object;
  const [was, is] = [old.trash?.days, object.trash?.days];
  if (was === is) return [];
  if (is === undefined) {
    const loss = `trash:${object_type}`;
    const step: DropTrash = { kind: 'drop_trash', object: old };
    return [change(step, `- trash of ${object_type}`, { loss })];
  }
  const step: KeepTrash = { kind: 'keep_trash', object };
  if (was === undefined) return [change(step, `+ trash of ${object_type} (${is}d)`)];
  return [change(step, `~ trash of ${object_type} (${was}d -> ${is}d)`)];
}

/** Values of deleted records are not rebuilt: they do not come back. */
export function findLostInTrash(old: ObjectModel, object: ObjectModel, from: Field, field: Field) {
  if (old.trash === null || object.trash === null || !hasNewForm(from, field)) return [];
  const summary = `~ ${fieldName({ object, field })} (deleted records lose its values)`;
  return [change({ kind: 'note', path: fieldPath({ object, field }) }, summary)];
}
