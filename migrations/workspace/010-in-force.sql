-- Which revision is in force, where the writes of this workspace can see it and hold it
-- (docs/decisions.md, D99). Exactly one row has it.
do $$
declare
  present integer;
begin
  -- Before the table, as who changes the definition does; nobody can before this is over.
  select revision into present from {{control}}.workspaces
    where schema_name = btrim('{{workspace}}', '"') for no key update;
  alter table {{workspace}}._definitions
    add column if not exists in_force boolean not null default false;
  update {{workspace}}._definitions set in_force = revision = present
    where in_force <> (revision = present);
end;
$$;
