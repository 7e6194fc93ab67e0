-- The values that changes of records have replaced, of objects whose definition has a history (docs/design/history.md).
-- Never in the audit: this goes with the record, after a time, and when the definition has no history any longer.
create table {{workspace}}._history (
  -- The table of the records: the same after a rename (docs/decisions.md, D420).
  table_name text collate "C" not null,
  record_id uuid not null,
  -- The counter of the record after the change.
  revision integer not null,
  -- The revision of the definition whose keys the row has: a rename leaves it as it is.
  definition integer not null,
  at timestamptz(3) not null default now(),
  action text not null,
  user_id integer not null,
  source text not null,
  -- Keys of the changed fields, and their values before and after.
  fields text[] collate "C" not null,
  old_values json not null,
  new_values json not null,
  primary key (record_id, table_name, revision)
);

-- Rows that are too old are deleted.
create index _history_age on {{workspace}}._history (table_name, at);
