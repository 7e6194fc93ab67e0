-- Crash epochs that continue one another, so that the position of a reader of changes outlasts a crash
-- (docs/design/crash-epochs.md, D455).

-- The identity of the data of a server. It is another one after a restore from a dump or a base backup, and after a
-- standby was promoted: its transaction numbers, or its rows, are not those that readers know.
create function {{control}}.lineage() returns text
language sql stable
return (select system_identifier from pg_catalog.pg_control_system()) || '/'
  || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8);

-- The epochs of this server, also those that a crash has ended. With Citus each server has a table of its own, like
-- `crash_epoch`.
create table {{control}}.epochs (
  epoch uuid primary key,
  lineage text not null,
  began_at timestamptz not null default now()
);

-- Rows of changes exist from here on, also before the first process asks for a moment.
insert into {{control}}.epochs (epoch, lineage) values (gen_random_uuid(), {{control}}.lineage());
insert into {{control}}.epochs (epoch, lineage)
  select e.epoch, {{control}}.lineage() from {{control}}.crash_epoch e where e.home = e.tableoid;

-- Begin an epoch where there is none, or in the place of the known one: its numbers have gone back, so that nothing from
-- before continues. Of concurrent statements one succeeds. Of those that make a table at the same time, some fail at the
-- name of its row type.
create or replace function {{control}}.begin_epoch(known text) returns boolean
language plpgsql as $$
declare
  begun uuid;
begin
  if to_regclass('{{control}}.crash_epoch') is null or to_regclass('{{control}}.epochs') is null then
    begin
      create unlogged table if not exists {{control}}.crash_epoch (home oid primary key, epoch uuid not null);
      create table if not exists {{control}}.epochs (epoch uuid primary key, lineage text not null,
        began_at timestamptz not null default now());
      insert into {{control}}.epochs values (gen_random_uuid(), {{control}}.lineage(), '-infinity');
    exception when duplicate_table or duplicate_object or unique_violation then
      null; -- Another process has made it just now.
    end;
  end if;
  insert into {{control}}.crash_epoch as e (home, epoch)
    values ('{{control}}.crash_epoch'::regclass, gen_random_uuid())
    on conflict (home) do update set epoch = excluded.epoch where e.epoch::text = known
    returning e.epoch into begun;
  if begun is null then
    return false;
  end if;
  if known <> '' then
    delete from {{control}}.epochs;
  end if;
  insert into {{control}}.epochs (epoch, lineage) values (begun, {{control}}.lineage());
  return true;
end;
$$;

-- Whether positions of this epoch are valid now: it was an epoch of the same data.
create function {{control}}.continues(epoch text) returns boolean
language plpgsql stable as $$
begin
  return to_regclass('{{control}}.epochs') is not null and exists (
    select from {{control}}.epochs e where e.epoch::text = continues.epoch and e.lineage = {{control}}.lineage());
end;
$$;

-- The time from which changes are kept: so many days, but not from before this data was restored, whose rows have
-- transaction numbers of another server.
create function {{control}}.changes_kept_since(days integer) returns timestamptz
language plpgsql stable as $$
declare
  began timestamptz := '-infinity';
begin
  if to_regclass('{{control}}.epochs') is not null then
    select coalesce(min(e.began_at), '-infinity') into began
      from {{control}}.epochs e where e.lineage = {{control}}.lineage();
  end if;
  return greatest(began, now() - make_interval(days => days));
end;
$$;
