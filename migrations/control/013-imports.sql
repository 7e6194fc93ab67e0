-- Imports and exports as jobs (docs/decisions.md, D248 to D252): their files, and what has become of the rows.

create index jobs_of_workspace on {{control}}.jobs (workspace_id, id);

-- A file that was sent for imports, or made by an export. It goes at `expires_at`.
create table {{control}}.files (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  -- The export that has made it.
  job_id uuid references {{control}}.jobs (id) on delete cascade,
  name text not null,
  format text not null check (format in ('csv', 'tsv', 'jsonl')),
  bytes bigint not null default 0,
  -- False while an export writes it.
  is_complete boolean not null,
  -- Of an export: a digest of the rights by which it was made.
  rights bytea,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '24 hours'
);

create index files_of_workspace on {{control}}.files (workspace_id);
create index files_of_job on {{control}}.files (job_id) where job_id is not null;
create index files_expired on {{control}}.files (expires_at);

create table {{control}}.file_pieces (
  file_id uuid not null references {{control}}.files (id) on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (file_id, number)
);

-- What an import has written: a row for each line, in the transaction that writes it. Who goes on after a crash
-- knows from it what is done.
create table {{control}}.import_lines (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  line integer not null,
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'skipped')),
  -- The record was there and has kept its status.
  status_kept boolean not null,
  -- Of a record that was written without some of its references, until these are written.
  open_id uuid,
  primary key (job_id, line)
);

-- Rows that were not imported: why, and as they stood in the file.
create table {{control}}.import_rejects (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  line integer not null,
  problems jsonb not null,
  texts jsonb not null,
  primary key (job_id, line)
);

-- Fails when another attempt has the job, or when whoever asked for it may no longer do this.
create function {{control}}.require_job(holds boolean) returns boolean
language plpgsql immutable as $$
begin
  if holds is not true then
    raise exception 'the job has ended for this process' using errcode = 'WR002';
  end if;
  return true;
end;
$$;
