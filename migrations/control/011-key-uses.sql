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
