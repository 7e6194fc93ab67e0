// The text of renaming: the keys that rows of other tables hold. Tables, columns and stored values have names of
// their own (D420). No record gets another version; audit rows keep the key of their time. Pure.

import { identifier, literal, type Sql, sql } from '../../sql/sql.ts';
import type { RenameStep } from './change.ts';

/**
 * The tables whose rows hold what is renamed, besides those of records. Comments and notifications are about the objects
 * that every workspace knows, which keep their keys.
 */
export const RENAMED_IN: Readonly<Record<RenameStep['kind'], readonly string[]>> = Object.freeze({
  rename_object: ['_idempotency'],
  rename_field: ['_idempotency'],
  rename_relationship: ['_links'],
  rename_role: ['_users'],
  rename_status: [],
});

export function renameSql(schema: string, step: RenameStep): readonly Sql[] {
  const [old, now] = [literal(step.old_key), literal(step.new_key)];
  switch (step.kind) {
    case 'rename_object':
      return [
        sql`update ${identifier(schema, '_idempotency')} set object_type = ${now}
          where object_type = ${old}`,
      ];
    case 'rename_field':
      // Whether a stored answer may be sent again is asked by the keys of its fields.
      return [
        sql`update ${identifier(schema, '_idempotency')} set fields = array_replace(fields, ${old}, ${now})
          where object_type = ${literal(step.object.object_type)} and ${old} = any(fields)`,
      ];
    case 'rename_relationship':
      return [
        sql`update ${identifier(schema, '_links')} set relationship = ${now}
          where relationship = ${old}`,
      ];
    case 'rename_role':
      return [
        sql`update ${identifier(schema, '_users')} set roles = array_replace(roles, ${old}, ${now})
          where ${old} = any(roles)`,
      ];
    case 'rename_status':
      // In a column of its own (value-sql.ts).
      return [];
  }
}
