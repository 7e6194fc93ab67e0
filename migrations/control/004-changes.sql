-- Which workspaces have changed in what processes remember of them: keys, people, their teams, the
-- definition in force (docs/decisions.md, D80). Triggers write it, in the transaction of the change.

-- One row a workspace: the last transaction that changed it. A process asks for the rows of those
-- transactions that its look before could not see yet. A sequence would not do: numbers are given
-- out in another order than transactions end.
create table {{control}}.changes (
  workspace_id integer primary key,
  transaction xid8 not null
);

create index on {{control}}.changes (transaction);

create function {{control}}.note_change(workspace integer) returns void
language sql
begin atomic
  insert into {{control}}.changes as noted (workspace_id, transaction)
  values (workspace, pg_current_xact_id())
  on conflict (workspace_id) do update set transaction = excluded.transaction
    where noted.transaction <> excluded.transaction;
end;

create function {{control}}.note_key_change() returns trigger
language plpgsql as $$
begin
  perform {{control}}.note_change(coalesce(new.workspace_id, old.workspace_id));
  return null;
end $$;

create function {{control}}.note_workspace_change() returns trigger
language plpgsql as $$
begin
  perform {{control}}.note_change(coalesce(new.id, old.id));
  return null;
end $$;

-- For the tables of people in the schema of a workspace.
create function {{control}}.note_people_change() returns trigger
language plpgsql as $$
begin
  perform {{control}}.note_change(id) from {{control}}.workspaces
    where schema_name = tg_table_schema;
  return null;
end $$;

create trigger note_change after insert or update or delete on {{control}}.api_keys
  for each row execute function {{control}}.note_key_change();

create trigger note_change after insert or update or delete on {{control}}.workspaces
  for each row execute function {{control}}.note_workspace_change();
