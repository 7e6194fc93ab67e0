-- The names under which a definition has its values and its search rows, where these are not its keys: a
-- rename then moves nothing (docs/decisions.md, D260). It is not part of the document.
alter table {{workspace}}._definitions add column storage json not null default '{}';

-- Stored data that no definition in force names (docs/decisions.md, D261): it was replaced or dropped and is
-- deleted in portions, or it is being built for a definition that is not in force yet.
create table {{workspace}}._leftovers (
  id integer generated always as identity primary key,
  -- `search`: rows of _search. `custom`: a key in `custom_fields`. `column`: a column.
  kind text collate "C" not null check (kind in ('search', 'custom', 'column')),
  -- The table of records; null for search rows.
  table_name text collate "C",
  name text collate "C" not null,
  -- How far its build is; null: nobody needs it any more.
  build json,
  -- Which job builds it, and goes on when its process is gone.
  job_id uuid
);
