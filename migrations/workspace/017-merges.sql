-- Records that were merged into another one (docs/design/merge.md).

-- Ids only: the answer to a request for a merged record names the one that it became. A row goes when the record comes back.
create table {{workspace}}._merged (
  -- Of the object; a rename leaves it as it is.
  table_name text collate "C" not null,
  record_id uuid not null,
  into_id uuid not null,
  merged_at timestamptz(3) not null default now(),
  primary key (record_id, table_name)
);

create index _merged_into on {{workspace}}._merged (into_id);

-- Of a merged record: the merge, the record that it became, and what that one got and had before. Null: deleted.
alter table {{workspace}}._trash add column merged jsonb;

create index _trash_merged on {{workspace}}._trash ((merged ->> 'into')) where merged is not null;
