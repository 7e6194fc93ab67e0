// Memory for one transaction that sorts much. Pure text.

import { type Sql, sql } from '../sql.ts';

/** Raises a memory setting to at least this size; a larger one stays as the server has it. */
export function memorySql(setting: 'work_mem' | 'maintenance_work_mem', size: string): Sql {
  return sql`select set_config(${setting}, ${size}, true)
    where pg_size_bytes(current_setting(${setting})) < pg_size_bytes(${size})`;
}
