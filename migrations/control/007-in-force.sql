-- Whether a definition is in force is said by its row in the schema of the workspace
-- (docs/decisions.md, D99): a write asks its own schema only, wherever that is.

-- Fails when another definition is in force than the one a write was judged by.
create function {{control}}.require_in_force(holds boolean) returns boolean
language plpgsql immutable as $$
begin
  if holds is not true then
    raise exception 'the definition of the workspace has changed' using errcode = 'WR001';
  end if;
  return true;
end;
$$;

-- Processes of the release before know nothing of that row. What they put in force is brought up to
-- it here, at once; a workspace they make lacks the column and gets it before their commit, when no
-- statement uses the table any more. On a PostgreSQL with Citus there are no such processes.
create function {{control}}.put_in_force() returns trigger
language plpgsql as $$
declare
  is_late boolean := tg_argv[0] = 'late';
  definitions regclass := to_regclass(format('%I._definitions', new.schema_name));
  is_known boolean := exists (select from pg_catalog.pg_attribute
    where attrelid = definitions and attname = 'in_force' and not attisdropped);
begin
  if definitions is null or is_known = is_late
      or exists (select from pg_catalog.pg_extension where extname = 'citus') then
    return null;
  end if;
  if is_late then
    execute format('alter table %s add column in_force boolean not null default false',
      definitions);
  end if;
  execute format('update %s set in_force = revision = $1 where in_force <> (revision = $1)',
    definitions) using new.revision;
  return null;
end;
$$;

create trigger put_in_force after update of revision on {{control}}.workspaces
  for each row execute function {{control}}.put_in_force('at once');

create constraint trigger put_in_force_late after update of revision on {{control}}.workspaces
  deferrable initially deferred
  for each row execute function {{control}}.put_in_force('late');
