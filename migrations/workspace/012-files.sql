-- Files of records (docs/design/files.md); their bytes are in a folder or a bucket.
create table {{workspace}}._files (
  id uuid primary key,
  name text collate "C" not null,
  -- The media type it was sent as.
  type text collate "C" not null,
  -- Of its bytes; while they arrive, as far as the client has said how many there are.
  size bigint not null,
  -- Null: it has not arrived completely.
  sha256 bytea,
  uploaded_by integer not null,
  uploaded_at timestamptz(3) not null default now(),
  -- The field of a record that has it, or had it last, by stored names: a rename leaves them as they are.
  table_name text collate "C",
  record_id uuid,
  column_name text collate "C",
  -- Since when no record has it; null: a record has it.
  released_at timestamptz(3) default now(),
  -- Its bytes are being removed.
  is_going boolean not null default false,
  constraint _files_place_check check ((table_name is null) = (record_id is null) and (table_name is null) = (column_name is null))
);

create index _files_place on {{workspace}}._files (table_name, column_name, record_id) where table_name is not null;
create index _files_released on {{workspace}}._files (released_at) where released_at is not null;
