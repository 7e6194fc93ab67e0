-- How many records have a text is estimated from texts of the index: of a hundred of them, the usual number, hardly one is like a text
-- that one record in a thousand has (docs/decisions.md, D352).
do $$
declare
  found record;
begin
  for found in select n.nspname, i.relname from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_am m on m.oid = i.relam
    join pg_catalog.pg_namespace n on n.oid = i.relnamespace
    where n.oid = '{{workspace}}'::regnamespace and m.amname = 'gin' and x.indexprs is not null
  loop
    execute format('alter index %I.%I alter column 1 set statistics 1000', found.nspname, found.relname);
  end loop;
end
$$;
