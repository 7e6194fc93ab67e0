-- A deactivated person has no session, link or waiting mail with a link, also when they are activated again. Sessions end
-- last: a sign-in that uses one of the links at this moment commits its session before they end.
create or replace function {{control}}.note_people(schema text) returns void
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
    union
    select m.user_id from {{control}}.mails m where m.workspace_id = workspace and m.state = 'waiting'
  ) p;
  if signed_in is null then
    return;
  end if;
  execute format('select coalesce(array_agg(u.id), ''{}'') from %I._users u where u.id = any($1) and u.active',
    schema) into present using signed_in;
  update {{control}}.mails m set state = 'skipped', ended_at = now()
    where m.workspace_id = workspace and m.user_id = any(signed_in) and m.user_id <> all(present)
      and m.state = 'waiting' and m.kind in ('invitation', 'sign_in_link');
  update {{control}}.sign_in_links l set used_at = now()
    where l.workspace_id = workspace and l.user_id = any(signed_in) and l.user_id <> all(present)
      and l.used_at is null;
  update {{control}}.sessions s set ended_at = now()
    where s.workspace_id = workspace and s.user_id = any(signed_in) and s.user_id <> all(present)
      and s.ended_at is null;
end $$;
