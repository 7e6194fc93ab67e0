-- Records that may be the same thing, as a search for duplicates has found them (docs/design/merge.md). Ids only: they are
-- shown with the rights of the moment.
create table {{control}}.duplicate_groups (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  -- Groups with more equal fields have higher numbers.
  number integer not null,
  -- Keys of the fields that are equal.
  fields text[] collate "C" not null,
  record_ids uuid[] not null,
  primary key (job_id, number)
);
