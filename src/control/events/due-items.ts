// Notifies the owners of work items on the day when these are due, by the time zone of each person (docs/design/notifications.md).

import { WORK_ITEMS, type WorkspaceModel } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, type Sql, sql } from '../../sql/sql.ts';
import { loadZoneTimes, type ZoneTime } from '../process/zone-times.ts';
import { loadModel } from '../workspace/workspaces.ts';

interface SweptWorkspace {
  readonly id: number;
  readonly schema: string;
}

const DAY_MS = 86_400_000;

/**
 * Notify the owners of at most so many items; answers how many. Each of them is notified once for each due date.
 * `now`: milliseconds since 1970.
 */
export async function notifyOfDueItems(
  db: Queryable,
  { id, schema }: SweptWorkspace,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<number> {
  if (!(await hasDueItems(db, schema, now))) return 0;
  const model = await loadModel(db, id);
  if (model === undefined) return 0;
  const days = await loadZoneTimes(db, await loadZones(db, schema), now);
  const rows = await runOnce(db, notifySql(model, days, most));
  return rows.length;
}

/** True when an item is due. It does not load the definition, which takes longer where no item is due. */
async function hasDueItems(db: Queryable, schema: string, now: number): Promise<boolean> {
  const table = `"${schema}"."${WORK_ITEMS}"`;
  const [column] = await runOnce(
    db,
    sql`select 1 from pg_attribute where attrelid = to_regclass(${table}) and attname = ${DUE} and atttypid = 'date'::regtype`,
  );
  if (column === undefined) return false;
  const day = (offset: number) => new Date(now + offset * DAY_MS).toISOString().slice(0, 10);
  const [dueRow] = await runOnce(
    db,
    sql`select 1 from ${identifier(schema, WORK_ITEMS)} t
      where t.${identifier(DUE)} between ${day(-1)}::date and ${day(1)}::date and t.owner_user_id is not null limit 1`,
  );
  return dueRow !== undefined;
}

const DUE = 'due_date';

async function loadZones(db: Queryable, schema: string): Promise<readonly string[]> {
  const rows = await runOnce(
    db,
    sql`select distinct time_zone from ${identifier(schema, '_notification_settings')}`,
  );
  return [
    'UTC',
    ...rows.map(({ time_zone }) => String(time_zone)).filter((zone) => zone !== 'UTC'),
  ];
}

function notifySql(model: WorkspaceModel, days: readonly ZoneTime[], most: number): Sql {
  const { schema } = model;
  const ended = endedStatuses(model);
  return sql`insert into ${identifier(schema, '_notifications')}
      (id, kind, user_id, object_type, record_id, due_on)
    select gen_random_uuid(), 'due', t.owner_user_id, ${WORK_ITEMS}::text, t.id, t.${identifier(DUE)}
    from ${identifier(schema, WORK_ITEMS)} t
    join ${identifier(schema, '_users')} u on u.id = t.owner_user_id and u.active and u.kind = 'user'
    left join ${identifier(schema, '_notification_settings')} s on s.user_id = u.id
    join unnest(${days.map(({ zone }) => zone)}::text[], ${days.map(({ day }) => day)}::date[]) as z (zone, day)
      on z.zone = coalesce(s.time_zone, 'UTC') and z.day = t.${identifier(DUE)}
    where not exists (select from unnest(${ended.map(({ type }) => type)}::text[],
        ${ended.map(({ status }) => status)}::text[]) as e (type, status)
        where e.type = t.work_item_type_id and e.status = t.status)
      and not exists (select from ${identifier(schema, '_notifications')} n where n.record_id = t.id
        and n.user_id = t.owner_user_id and n.due_on = t.${identifier(DUE)})
    order by t.id limit ${most}::integer on conflict do nothing returning id`;
}

/** An item that no move leads out of is done. */
function endedStatuses({ work_item_types }: WorkspaceModel) {
  return [...work_item_types].flatMap(([type, { workflow }]) =>
    [...workflow.statuses.values()]
      .filter(({ transitions }) => transitions.length === 0)
      .map(({ id: status }) => ({ type, status })),
  );
}
