-- When a key was used last, to the minute (docs/decisions.md, D229). Not a column of `api_keys`: each
-- change there makes all processes load again what they remember of the workspace.
create table {{control}}.key_uses (
  api_key_id uuid primary key,
  last_used_at timestamptz(0) not null
);

create function {{control}}.forget_key_use() returns trigger
language plpgsql as $$
begin
  delete from {{control}}.key_uses where api_key_id = old.id;
  return null;
end $$;

create trigger forget_key_use after delete on {{control}}.api_keys
  for each row execute function {{control}}.forget_key_use();

-- The first request of a window that is counted, which comes once a minute for each key over all processes.
create function {{control}}.note_key_use() returns trigger
language plpgsql as $$
begin
  insert into {{control}}.key_uses as use (api_key_id, last_used_at)
  select key.id, new.window_start from {{control}}.api_keys key where key.id = new.api_key_id
  on conflict (api_key_id) do update set
    last_used_at = greatest(use.last_used_at, excluded.last_used_at);
  return null;
end $$;

create trigger note_first_use after insert on {{control}}.rate_windows
  for each row when (new.requests > 0)
  execute function {{control}}.note_key_use();

create trigger note_next_use after update on {{control}}.rate_windows
  for each row when (
    new.requests > 0 and (old.window_start < new.window_start or old.requests = 0))
  execute function {{control}}.note_key_use();
