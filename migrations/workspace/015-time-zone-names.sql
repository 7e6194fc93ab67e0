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
