-- What all workspaces share: which there are, who may knock, and how often. Nothing else.

create table {{control}}.workspaces (
  id integer generated always as identity primary key,
  slug text collate "C" not null unique,
  name text not null,
  schema_name text collate "C" not null unique,
  -- Revision of the definition document in force.
  revision integer not null default 0,
  -- Signs the cursors of this workspace.
  cursor_secret bytea not null,
  -- 'loading' until the first data of a demo is complete; a start that finds it continues the load.
  state text not null default 'ready' check (state in ('loading', 'ready')),
  created_at timestamptz(3) not null default now()
);

create table {{control}}.api_keys (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  type text not null check (type in ('personal', 'operational')),
  name text not null,
  prefix text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  requests_per_minute integer,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create index on {{control}}.api_keys (workspace_id);

-- One row a key: the count of the minute that `window_start` names. Losing it in a crash is harmless.
create unlogged table {{control}}.rate_windows (
  api_key_id uuid primary key,
  window_start timestamptz not null,
  requests bigint not null
);
