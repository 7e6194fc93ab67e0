-- The service tables of one workspace. Record tables are made from its definition document.

-- json and not jsonb: the order of fields is that of the document.
create table {{workspace}}._definitions (
  revision integer primary key,
  -- What is in force: `patch` merged over the base document of the release that applied it.
  document json not null,
  -- The workspace's own document, as it was applied.
  patch json not null,
  applied_at timestamptz(3) not null default now()
);

create table {{workspace}}._users (
  id integer generated always as identity primary key,
  email text collate "C" not null unique,
  name text collate "C",
  title text collate "C",
  kind text not null default 'user' check (kind in ('user', 'agent')),
  active boolean not null default true,
  roles text[] not null default '{}'
);

create table {{workspace}}._teams (
  id integer generated always as identity primary key,
  name text collate "C" not null unique,
  description text
);

create table {{workspace}}._team_members (
  team_id integer not null references {{workspace}}._teams (id) on delete cascade,
  user_id integer not null references {{workspace}}._users (id) on delete cascade,
  primary key (team_id, user_id)
);

create index on {{workspace}}._team_members (user_id);

-- One row an effective write (docs/decisions.md): keys of changed fields, never values.
create table {{workspace}}._audit (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  api_key_id uuid,
  api_key_prefix text,
  user_id integer not null,
  object_type text collate "C" not null,
  record_id uuid not null,
  action text not null,
  changed_fields text[] not null,
  source text not null check (source in ('api', 'import')),
  request_id text,
  batch_id uuid
);

create index on {{workspace}}._audit (object_type, record_id, id);
