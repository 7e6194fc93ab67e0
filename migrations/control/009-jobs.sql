-- Work that takes long and outlives the process that does it (docs/decisions.md, D195). Whoever has the
-- lease does it; a lease that is over can be taken by others. All times are those of the database.

create table {{control}}.jobs (
  id uuid primary key,
  -- Null: the job concerns all workspaces.
  workspace_id integer references {{control}}.workspaces (id) on delete cascade,
  kind text collate "C" not null,
  input jsonb not null default '{}',
  state text not null default 'queued'
    check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Counts, and what the next attempt needs to go on.
  progress jsonb not null default '{}',
  -- True: no other one of its kind and workspace may wait or run beside it.
  single boolean not null default false,
  -- How often it was claimed. Never set back: with the holder it tells who may still write here.
  attempts integer not null default 0,
  -- Attempts in a row that failed, or whose lease ended under them.
  failures integer not null default 0,
  -- Not rounded: rounded up, it would hide the job from who looks for it at once.
  run_after timestamptz not null default now(),
  lease_holder text,
  lease_until timestamptz(3),
  cancel_requested boolean not null default false,
  error text,
  -- Null: the service itself, or an operator.
  asked_by_user_id integer,
  created_at timestamptz(3) not null default now(),
  -- Of the last attempt.
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check ((state = 'running') = (lease_holder is not null and lease_until is not null)),
  check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null))
);

-- One of a kind runs in a workspace at a time. No workspace has the id 0.
create unique index jobs_running on {{control}}.jobs (coalesce(workspace_id, 0), kind)
  where state = 'running';
create unique index jobs_single on {{control}}.jobs (coalesce(workspace_id, 0), kind)
  where single and state in ('queued', 'running');
-- What a look for work reads; without work it is empty.
create index jobs_due on {{control}}.jobs (coalesce(workspace_id, 0), kind, run_after, id)
  where state in ('queued', 'running');
-- Whose turn was the longest ago.
create index jobs_started on {{control}}.jobs (coalesce(workspace_id, 0), started_at);
create index jobs_finished on {{control}}.jobs (finished_at) where finished_at is not null;
