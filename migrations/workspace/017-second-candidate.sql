-- What 1.0.0-rc.2 adds to the tables of 1.0.0-rc.1.

-- Deleted records keep who follows them; null: nobody.
alter table {{workspace}}._trash add column follows jsonb;

-- Who has made a webhook or last changed what it asks for (docs/design/webhooks.md); null: its owner. Webhooks of before
-- have the person of their last such row in the audit.
alter table {{workspace}}._webhooks add column maker_user_id integer;

update {{workspace}}._webhooks w set maker_user_id = made.user_id
  from (
    select distinct on (subject_id) subject_id, user_id from {{workspace}}._audit
    where subject_type = 'webhook' and action in ('create', 'update') and changed_fields <> '{state}'
    order by subject_id, at desc, id desc
  ) made
  where made.subject_id = w.id::text;

-- Abbreviations of time zones that were stored before they were refused (docs/decisions.md, D691): those that PostgreSQL
-- knows become zones with the offset that it used, the others the zones that Node.js took them for.
with zones (abbreviation, name) as (
  values ('BST', 'Etc/GMT-1'), ('IST', 'Etc/GMT-2'), ('EAT', 'Africa/Nairobi'), ('JST', 'Asia/Tokyo'),
    ('ACT', 'Etc/GMT+5'), ('AST', 'Etc/GMT+4'), ('CST', 'Etc/GMT+6'), ('PST', 'Etc/GMT+8'),
    ('ART', 'America/Argentina/Buenos_Aires'), ('NST', 'America/St_Johns'),
    ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'), ('BET', 'America/Sao_Paulo'),
    ('CAT', 'Africa/Maputo'), ('CNT', 'America/St_Johns'), ('CTT', 'Asia/Shanghai'), ('ECT', 'Europe/Paris'),
    ('IET', 'America/Indiana/Indianapolis'), ('MIT', 'Pacific/Apia'), ('NET', 'Asia/Yerevan'),
    ('PLT', 'Asia/Karachi'), ('PNT', 'America/Phoenix'), ('PRT', 'America/Puerto_Rico'),
    ('SST', 'Pacific/Guadalcanal'), ('VST', 'Asia/Ho_Chi_Minh'),
    ('SYSTEMV/AST4', 'Etc/GMT+4'), ('SYSTEMV/AST4ADT', 'America/Halifax'), ('SYSTEMV/EST5', 'Etc/GMT+5'),
    ('SYSTEMV/EST5EDT', 'EST5EDT'), ('SYSTEMV/CST6', 'Etc/GMT+6'), ('SYSTEMV/CST6CDT', 'CST6CDT'),
    ('SYSTEMV/MST7', 'Etc/GMT+7'), ('SYSTEMV/MST7MDT', 'MST7MDT'), ('SYSTEMV/PST8', 'Etc/GMT+8'),
    ('SYSTEMV/PST8PDT', 'PST8PDT'), ('SYSTEMV/YST9', 'Etc/GMT+9'), ('SYSTEMV/YST9YDT', 'America/Anchorage'),
    ('SYSTEMV/HST10', 'Etc/GMT+10')
), webhooks as (
  update {{workspace}}._webhooks w set timezone = z.name from zones z where upper(w.timezone) = z.abbreviation
), settings as (
  update {{workspace}}._notification_settings s set time_zone = z.name from zones z
  where upper(s.time_zone) = z.abbreviation
)
update {{workspace}}._views v set query = n.query
from (
  select q.id, string_agg(
      m.part[1] || case when z.name is null then m.part[2] else '"timezone":"' || z.name || '"' end, '' order by m.place
    )::json as query
  from {{workspace}}._views q
  cross join lateral regexp_matches(q.query::text, '(.*?)("timezone"\s*:\s*"[^"\\]*"|$)', 'g')
    with ordinality as m (part, place)
  left join zones z on upper(substring(m.part[2] from '"([^"]*)"$')) = z.abbreviation
  group by q.id
  having bool_or(z.name is not null)
) n
where n.id = v.id;

-- The deliveries of webhooks are an outbox: a row is stored for each event before it is sent (docs/design/webhooks.md).
-- The first due deliveries of a webhook, without sorting those that became due at once.
create index _webhook_deliveries_next on {{workspace}}._webhook_deliveries (webhook_id, next_attempt_at, id)
  where state = 'pending';
drop index {{workspace}}._webhook_deliveries_due;

-- Pings come before all others, also of a webhook that sends nothing else.
create index _webhook_deliveries_pings on {{workspace}}._webhook_deliveries (webhook_id, next_attempt_at, id)
  where state = 'pending' and type = 'ping';

-- An earlier delivery of the same record: audit rows of a record are in the order of its revisions.
create index _webhook_deliveries_order on {{workspace}}._webhook_deliveries (webhook_id, record_id, audit_id)
  where state = 'pending';
drop index {{workspace}}._webhook_deliveries_record;

-- The last delivery that was attempted, among many that wait.
create index _webhook_deliveries_tried on {{workspace}}._webhook_deliveries (webhook_id, id) where attempts > 0;

-- Records that were merged into another one (docs/design/merge.md).

-- Ids only: the answer to a request for a merged record names the one that it became. A row goes when the record comes back.
create table {{workspace}}._merged (
  -- Of the object; a rename leaves it as it is.
  table_name text collate "C" not null,
  record_id uuid not null,
  into_id uuid not null,
  merged_at timestamptz(3) not null default now(),
  primary key (record_id, table_name)
);

create index _merged_into on {{workspace}}._merged (into_id);

-- Of a merged record: the merge, the record that it became, and what that one got and had before. Null: deleted.
alter table {{workspace}}._trash add column merged jsonb;

create index _trash_merged on {{workspace}}._trash ((merged ->> 'into')) where merged is not null;
