-- Deleted records of objects that keep them for a while (docs/design/trash.md). No other table has anything of them.
create table {{workspace}}._trash (
  -- Of the object; a rename leaves it as it is.
  table_name text collate "C" not null,
  record_id uuid not null,
  -- The row as it was, by the names of its columns.
  content jsonb not null,
  -- Its counter after the delete.
  revision integer not null,
  -- Whom it belonged to: its owner, without owners its author.
  reach_user_id integer,
  deleted_by_user_id integer not null,
  deleted_at timestamptz(3) not null default now(),
  -- When it goes for good.
  kept_until timestamptz(3) not null,
  -- Its rows of _comments and _links; null: none.
  comments jsonb,
  links jsonb,
  -- References that became null with it, as [table, record, column]; null: none.
  cleared jsonb,
  primary key (record_id, table_name)
);

create index _trash_list on {{workspace}}._trash (table_name, deleted_at desc, record_id desc);
create index _trash_age on {{workspace}}._trash (kept_until);
