// The number of connections that the server still has room for. One statement.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { sql } from '../../sql/sql.ts';

/**
 * Connections that this role may still open to this database, by the limits of the server, the database and the role.
 * Of sessions of other roles the kind is hidden: they count as those of clients. The connection of this query counts
 * as free: it is closed before the service opens its own.
 */
export async function loadConnectionRoom(db: Queryable): Promise<number> {
  const [row] = await runOnce(
    db,
    sql`with used as (
        select count(*) as of_server, count(*) filter (where a.usesysid = r.oid) as of_role,
          count(*) filter (where a.datid = d.oid) as of_database
        from pg_stat_activity a, (select oid from pg_roles where rolname = current_user) r,
          (select oid from pg_database where datname = current_database()) d
        where a.datid is not null and coalesce(a.backend_type, 'client backend') = 'client backend'
          and a.pid <> pg_backend_pid())
      select least(
          current_setting('max_connections')::integer
            - current_setting('superuser_reserved_connections')::integer
            - coalesce(current_setting('reserved_connections', true)::integer, 0) - used.of_server,
          nullif(r.rolconnlimit, -1) - used.of_role,
          nullif(d.datconnlimit, -1) - used.of_database)::integer as room
      from used, pg_roles r, pg_database d
      where r.rolname = current_user and d.datname = current_database()`,
  );
  return Number(row?.room);
}
