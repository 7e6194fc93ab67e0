// How people want to hear of notifications: one function, one statement. A person without a row has the defaults.

import {
  DEFAULT_SETTINGS,
  type NotificationKind,
  type NotificationSettings,
} from '../../model/rights/notification-kinds.ts';
import type { Database, Queryable, Transaction } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, type Sql, sql } from '../../sql/sql.ts';

const COLUMNS = sql`s.mail, s.list_off, s.mail_off, s.language, s.time_zone`;

/** The settings of these people, by id. */
async function loadSettings(
  db: Queryable,
  schema: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NotificationSettings>> {
  const rows = await runOnce(
    db,
    sql`select s.user_id, ${COLUMNS} from ${tableOf(schema)} s where s.user_id = any(${ids}::integer[])`,
  );
  const found = rows as unknown as readonly (NotificationSettings & { readonly user_id: number })[];
  return new Map(found.map(({ user_id, ...settings }) => [user_id, settings]));
}

export async function loadSettingsOf(
  db: Queryable,
  schema: string,
  userId: number,
): Promise<NotificationSettings> {
  return (await loadSettings(db, schema, [userId])).get(userId) ?? DEFAULT_SETTINGS;
}

/** Kinds to switch off, and to switch on again. */
export interface Switched {
  readonly off: readonly NotificationKind[];
  readonly on: readonly NotificationKind[];
}

export type SettingsPatch = Partial<
  Pick<NotificationSettings, 'mail' | 'language' | 'time_zone'>
> & {
  readonly list: Switched;
  readonly by_mail: Switched;
};

/** Concurrent changes of different settings keep both. */
export async function putSettings(
  db: Database,
  schema: string,
  userId: number,
  patch: SettingsPatch,
): Promise<NotificationSettings> {
  const { list, by_mail, language } = patch;
  const mail = patch.mail ?? null;
  const zone = patch.time_zone ?? null;
  const isChosen = language !== undefined;
  const initial = DEFAULT_SETTINGS;
  const statement = sql`insert into ${tableOf(schema)} as s (user_id, mail, list_off, mail_off, language, time_zone)
      values (${userId}::integer, coalesce(${mail}::text, ${initial.mail}::text), ${list.off}::text[],
        ${by_mail.off}::text[], ${language ?? null}::text, coalesce(${zone}::text, ${initial.time_zone}::text))
      on conflict (user_id) do update set mail = coalesce(${mail}::text, s.mail),
        list_off = ${switchedSql(sql`s.list_off`, list)}, mail_off = ${switchedSql(sql`s.mail_off`, by_mail)},
        language = case when ${isChosen}::boolean then excluded.language else s.language end,
        time_zone = coalesce(${zone}::text, s.time_zone)
      returning ${COLUMNS}`;
  const put = (tx: Transaction) => runOnce(tx, statement);
  const [row] = await db.transaction(put, { writes: schema });
  return row as unknown as NotificationSettings;
}

function switchedSql(kinds: Sql, { off, on }: Switched): Sql {
  return sql`array(select k from unnest(${kinds} || ${off}::text[]) as k
          where k <> all(${on}::text[]) group by k order by k)`;
}

function tableOf(schema: string): Sql {
  return identifier(schema, '_notification_settings');
}
