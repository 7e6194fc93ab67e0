-- What a change of people leads to is a function of its own, because the tables of a shard of Citus have no triggers: who
-- changes people calls it there as well, and where there are triggers it finds nothing left to do. It reads the table of a
-- workspace by a statement of its own, which may be on another server.
create function {{control}}.note_people(schema text) returns void
language plpgsql as $$
declare
  workspace integer;
  signed_in integer[];
  present integer[];
begin
  select w.id into workspace from {{control}}.workspaces w where w.schema_name = schema;
  if workspace is null then
    return;
  end if;
  perform {{control}}.note_change(workspace);
  select array_agg(p.user_id) into signed_in from (
    select s.user_id from {{control}}.sessions s where s.workspace_id = workspace and s.ended_at is null
    union
    select l.user_id from {{control}}.sign_in_links l where l.workspace_id = workspace and l.used_at is null
  ) p;
  if signed_in is null then
    return;
  end if;
  execute format('select coalesce(array_agg(u.id), ''{}'') from %I._users u where u.id = any($1) and u.active',
    schema) into present using signed_in;
  update {{control}}.sessions s set ended_at = now()
    where s.workspace_id = workspace and s.user_id = any(signed_in) and s.user_id <> all(present)
      and s.ended_at is null;
  update {{control}}.sign_in_links l set used_at = now()
    where l.workspace_id = workspace and l.user_id = any(signed_in) and l.user_id <> all(present)
      and l.used_at is null;
end $$;

create or replace function {{control}}.note_people_change() returns trigger
language plpgsql as $$
begin
  if tg_table_name = '_users' and tg_op <> 'INSERT' then
    perform {{control}}.note_people(tg_table_schema);
  else
    perform {{control}}.note_change(w.id) from {{control}}.workspaces w where w.schema_name = tg_table_schema;
  end if;
  return null;
end $$;
