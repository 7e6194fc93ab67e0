-- Changes of many records by one job (docs/decisions.md, D286): the records that are still to be changed, in pages,
-- and those that could not be. A page leaves in the transaction that changes its records.
create table {{control}}.bulk_pages (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  number integer not null,
  ids uuid[] not null,
  primary key (job_id, number)
);

create table {{control}}.bulk_refusals (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  record_id uuid not null,
  field text not null,
  reason text not null,
  primary key (job_id, record_id)
);
