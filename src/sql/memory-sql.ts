// Memory for one transaction that sorts much. Pure text.

import { type Sql, sql } from './sql.ts';

/** At least this much by this setting; more is left as the server has it. */
export function memorySql(setting: 'work_mem' | 'maintenance_work_mem', size: string): Sql {
  return sql`select set_config(${setting}, ${size}, true)
    where pg_size_bytes(current_setting(${setting})) < pg_size_bytes(${size})`;
}
