-- The form in which texts are compared without regard to case (docs/design/queries.md, D375): lower case over full
-- Unicode with the best collation of the server, in NFC, with one small sigma. Indexes are built on it, so it never
-- changes. It is not strict: a strict function with a CASE is never inlined. Citus makes the collations of a function
-- on its servers, and only a superuser may make those of ICU there. A collation that lowers one character at a time
-- gets a dotted capital I in parts, which is the same then whether it came as one character or as two. The class is of all
-- characters that NFC may change, also beside others; it is wider where that makes it shorter.
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
  changeable text := '[\u0300-\u036f\u0374\u037e\u0387\u0483-\u0489\u0591-\u1dff\u1f00-\u2001\u20d0-\u20ff'
    || '\u2126-\u212b\u2329-\u232a\u2adc\u2cef-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\uabff\ud7b0-\ud7ff'
    || '\uf900-\ufe2f\U00010000-\U0010ffff]';
begin
  execute format('create function workspace_records.folded(text) returns text
    language sql immutable parallel safe
    return case when octet_length($1) = length($1) then lower($1 collate "C")
      when $1 collate "C" ~ %L then replace(normalize(%s, nfc) collate "C", ''ς'', ''σ'')
      else replace(%s collate "C", ''ς'', ''σ'') end', changeable, lowered,
    case when found is null then 'normalize(' || lowered || ', nfc)' else lowered end);
end
$$;
