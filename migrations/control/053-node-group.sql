-- The group of the node of Citus that runs it, which begins the ids that it gives out; null without Citus
-- (docs/decisions.md, D355).
create function {{control}}.node_group() returns integer
language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_local_group') is null then
    return null;
  end if;
  return (select groupid from pg_catalog.pg_dist_local_group);
end;
$$;
