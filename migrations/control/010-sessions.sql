-- Signing in (docs/decisions.md, D213): sessions of people, and what they prove who they are with. Secrets
-- are here as hashes only, and none of it is part of the file of a workspace.

create table {{control}}.sessions (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  -- SHA-256 of the 256 random bits of its cookie.
  token_hash bytea not null unique,
  method text not null check (method in ('password', 'link', 'oidc')),
  -- The moment of the sign-in: each one makes a session of its own.
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  -- However much it is used.
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);

create index on {{control}}.sessions (workspace_id, user_id);
-- For deleting what is over.
create index on {{control}}.sessions (last_used_at);

create table {{control}}.passwords (
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  hash bytea not null,
  salt bytea not null,
  -- Of scrypt: {"N", "r", "p"}.
  parameters jsonb not null,
  changed_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);

create table {{control}}.sign_in_links (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index on {{control}}.sign_in_links (workspace_id, user_id);

-- Who somebody is at an identity provider.
create table {{control}}.oidc_identities (
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, issuer, subject),
  unique (workspace_id, user_id, issuer)
);

-- Attempts to sign in that have failed or are not over, by account and by address, each as SHA-256.
create table {{control}}.sign_in_attempts (
  subject bytea primary key,
  -- The oldest first; at most as many as are allowed in a window.
  attempted_at timestamptz[] not null,
  -- Whether the last one came when there were too many.
  refused boolean not null default false
);

-- A session counts its requests like a key: `api_key_id` is the id of either. The name stays, because processes
-- of the release before count beside this one.
comment on column {{control}}.rate_windows.api_key_id is 'of an API key or a session';

-- Using a session changes nothing that processes remember of it; its end does.
create trigger note_change after update of ended_at, expires_at on {{control}}.sessions
  for each row execute function {{control}}.note_key_change();

-- Whoever is deactivated has no session and no link any more, also when they are activated again.
create or replace function {{control}}.note_people_change() returns trigger
language plpgsql as $$
declare
  workspace integer;
  gone integer[];
begin
  select id into workspace from {{control}}.workspaces where schema_name = tg_table_schema;
  if workspace is null then
    return null;
  end if;
  perform {{control}}.note_change(workspace);
  if tg_table_name = '_users' and tg_op <> 'INSERT' then
    execute format('select array_agg(p.user_id) from (
        select user_id from {{control}}.sessions where workspace_id = $1 and ended_at is null
        union select user_id from {{control}}.sign_in_links where workspace_id = $1 and used_at is null
      ) p where not exists (select from %I._users u where u.id = p.user_id and u.active)',
      tg_table_schema) into gone using workspace;
    update {{control}}.sessions set ended_at = now()
      where workspace_id = workspace and user_id = any(gone) and ended_at is null;
    update {{control}}.sign_in_links set used_at = now()
      where workspace_id = workspace and user_id = any(gone) and used_at is null;
  end if;
  return null;
end $$;
