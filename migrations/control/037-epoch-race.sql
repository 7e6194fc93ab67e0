-- Of those who make the table of epochs at the same time, some fail at the name of its row type.
create or replace function {{control}}.begin_epoch(known text) returns boolean
language plpgsql as $$
begin
  if to_regclass('{{control}}.crash_epoch') is null then
    begin
      create unlogged table {{control}}.crash_epoch (home oid primary key, epoch uuid not null);
    exception when duplicate_table or duplicate_object or unique_violation then
      null; -- Somebody else has made it just now.
    end;
  end if;
  insert into {{control}}.crash_epoch as e (home, epoch)
    values ('{{control}}.crash_epoch'::regclass, gen_random_uuid())
    on conflict (home) do update set epoch = excluded.epoch where e.epoch::text = known;
  return found;
end;
$$;
