-- Collations of the control schema, by which sorts have texts in the order of a language (docs/design/queries.md, D377). They
-- are deterministic, as all of PostgreSQL are unless they say otherwise: texts of the same place are told apart by their
-- bytes. A server without ICU gets the order of code points under the same name.
create function workspace_records.make_collation(locale text) returns void
language plpgsql
as $$
begin
  if to_regcollation(format('workspace_records.%I', locale)) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('workspace-records collations', 0));
  if exists (select from pg_catalog.pg_collation where collprovider = 'i' and collnamespace = 'pg_catalog'::regnamespace) then
    execute format('create collation if not exists workspace_records.%I (provider = icu, locale = %L)', locale, locale);
  else
    execute format('create collation if not exists workspace_records.%I from pg_catalog."C"', locale);
  end if;
end
$$;

select workspace_records.make_collation('und-u-kn-true');
