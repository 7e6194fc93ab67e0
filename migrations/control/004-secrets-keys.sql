-- The keys that have sealed secrets (docs/design/secrets-at-rest.md, D463), so that a process without one of them notices
-- it at its start. Only their ids: the keys are outside of the database.
create table {{control}}.secrets_keys (
  key_id text primary key,
  noted_at timestamptz not null default now()
);
