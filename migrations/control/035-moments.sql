-- The present moment of the server that runs it, and the beginning of a crash epoch there (docs/decisions.md, D170,
-- D333). Asked over a table of a workspace, that is the server which has the workspace: with Citus another one than
-- that of the control schema, where the table of epochs does not exist before the first epoch begins.
create function {{control}}.moment() returns text
language plpgsql stable as $$
declare
  epoch text;
begin
  if to_regclass('{{control}}.crash_epoch') is not null then
    select e.epoch::text into epoch from {{control}}.crash_epoch e where e.home = e.tableoid;
  end if;
  return pg_current_snapshot()::text || ':' || coalesce(epoch, '');
end;
$$;

-- Begin an epoch where there is none, or in the place of the known one. Of concurrent statements one succeeds.
create function {{control}}.begin_epoch(known text) returns boolean
language plpgsql as $$
begin
  if to_regclass('{{control}}.crash_epoch') is null then
    begin
      create unlogged table {{control}}.crash_epoch (home oid primary key, epoch uuid not null);
    exception when duplicate_table or unique_violation then
      null; -- Somebody else has made it just now.
    end;
  end if;
  insert into {{control}}.crash_epoch as e (home, epoch)
    values ('{{control}}.crash_epoch'::regclass, gen_random_uuid())
    on conflict (home) do update set epoch = excluded.epoch where e.epoch::text = known;
  return found;
end;
$$;

-- It ends a write, and so is none that could be done without. Citus adds a wrong condition to the inserts of a shard that
-- take rows from a select, unless something in them is volatile.
alter function {{control}}.require_assumption(boolean) volatile;
