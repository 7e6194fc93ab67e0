-- The extension behind the `q` of lists (docs/decisions.md). It may be anywhere in the database. A
-- server that lacks it or does not allow it is good enough: such lists then read the whole table.
do $$
begin
  create extension if not exists pg_trgm with schema {{control}};
exception when others then
  raise warning 'pg_trgm is not available: %', sqlerrm;
end;
$$;
