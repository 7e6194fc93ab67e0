-- Part of every write: fails when another definition is in force than the one it was judged by. Who
-- puts a definition in force takes the same lock exclusively and so waits for writes that passed.
-- In PL/pgSQL, because each of its statements sees what was committed before it started.
create function {{control}}.require_revision(workspace_id integer, known integer) returns integer
language plpgsql volatile strict as $$
declare
  present integer;
begin
  perform pg_advisory_xact_lock_shared(hashtext('workspace-records revision'), workspace_id);
  select w.revision into present from {{control}}.workspaces w where w.id = workspace_id;
  if present is distinct from known then
    raise exception 'the definition of workspace % has changed', workspace_id
      using errcode = 'WR001';
  end if;
  return present;
end;
$$;

-- For a write that is sent in one statement on an assumption: what it takes for granted is checked by
-- the statement itself.
create function {{control}}.require_assumption(holds boolean) returns boolean
language plpgsql immutable as $$
begin
  if holds is not true then
    raise exception 'an assumption of the write does not hold' using errcode = 'WR002';
  end if;
  return true;
end;
$$;
