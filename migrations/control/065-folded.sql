-- The form in which texts are compared without regard to case (docs/design/queries.md, D375): lower case over full
-- Unicode with the best collation of the server, in NFC, with one small sigma. Indexes are built on it, so it never
-- changes. It is not strict: a strict function with a CASE is never inlined. Citus makes the collations of a function
-- on its servers, and only a superuser may make those of ICU there. A collation that lowers one character at a time
-- gets a dotted capital I in parts, which is the same then whether it came as one character or as two.
do $$
declare
  found text := (
    select c.collname from pg_catalog.pg_collation c
    where c.collnamespace = 'pg_catalog'::regnamespace
      and (c.collname = 'pg_unicode_fast' or c.collname = 'und-x-icu'
        and not exists (select from pg_catalog.pg_extension e where e.extname = 'citus'))
    order by c.collname limit 1
  );
  lowered text := case when found is null then 'lower(normalize($1, nfd) collate pg_catalog."default")'
    else format('lower($1 collate pg_catalog.%I)', found) end;
begin
  execute format('create function workspace_records.folded(text) returns text
    language sql immutable parallel safe
    return case when octet_length($1) = length($1) then lower($1 collate "C")
      else replace(normalize(%s, nfc) collate "C", ''ς'', ''σ'') end', lowered);
end
$$;
