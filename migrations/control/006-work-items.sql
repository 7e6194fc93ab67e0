-- Numbers of work items, and the shape of their trees (docs/decisions.md, D59).

-- The next number of a prefix that no work item has: imports bring numbers of their own. Numbers of
-- writes that fail are lost; nobody waits for the end of another write to get one.
create function {{control}}.next_public_id(workspace text, prefix text) returns text
language plpgsql volatile strict as $$
declare
  sequence regclass := format('%I.%I', workspace, '_public_id_' || prefix);
  candidate text;
  taken boolean;
begin
  loop
    candidate := prefix || '-' || nextval(sequence);
    execute format('select exists (select from %I.work_items where public_id = $1)', workspace)
      into taken using candidate;
    exit when not taken;
  end loop;
  return candidate;
end;
$$;

-- Ends a write that would leave a tree that is none; `place` is the operation that is to blame.
create function {{control}}.refuse_tree(place integer, is_cycle boolean) returns void
language plpgsql volatile as $$
begin
  raise exception 'work items would form a cycle or a tree that is too deep'
    using errcode = 'WR003', detail = json_build_object('place', place, 'is_cycle', is_cycle);
end;
$$;
