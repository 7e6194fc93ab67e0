-- Programs of others that act for people (docs/design/oauth.md). A grant is a key with the id of its client.
alter table {{control}}.api_keys add column client_id text collate "C";

-- Clients that have registered themselves, and those that an administrator has entered. A client whose id is the address
-- of its metadata has no row.
create table {{control}}.oauth_clients (
  client_id text collate "C" primary key,
  -- The workspace of an entered client; null: it has registered itself.
  workspace_id integer references {{control}}.workspaces (id) on delete cascade,
  name text not null,
  redirect_uris text[] not null,
  -- SHA-256 of its secret; null: it has none.
  secret_hash bytea,
  -- SHA-256 of the token with which a client reads and deletes its registration.
  registration_hash bytea,
  created_at timestamptz(3) not null default now(),
  -- When a person first gave it access; null: never.
  used_at timestamptz(3)
);

create index oauth_clients_unused on {{control}}.oauth_clients (created_at)
  where workspace_id is null and used_at is null;
create index on {{control}}.oauth_clients (workspace_id);

-- Clients that an administrator has switched off.
create table {{control}}.oauth_refused_clients (
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  client_id text collate "C" not null,
  primary key (workspace_id, client_id)
);

-- Codes that clients exchange for tokens, as SHA-256.
create table {{control}}.oauth_codes (
  code_hash bytea primary key,
  api_key_id uuid not null references {{control}}.api_keys (id) on delete cascade,
  redirect_uri text not null,
  -- The SHA-256 of the verifier, as the client sent it (RFC 7636).
  challenge text not null,
  -- The origin at which the person agreed.
  issuer text not null,
  -- The end of the grant; until the code is used, the key ends with the code.
  grant_ends_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index on {{control}}.oauth_codes (api_key_id);
create index on {{control}}.oauth_codes (expires_at);

-- Access and refresh tokens of grants, as SHA-256. Old refresh tokens stay for a while, so that a second use is noticed.
create table {{control}}.oauth_tokens (
  token_hash bytea primary key,
  api_key_id uuid not null references {{control}}.api_keys (id) on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  issued_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  -- When a refresh token was used first.
  replaced_at timestamptz
);

create index on {{control}}.oauth_tokens (api_key_id);
create index on {{control}}.oauth_tokens (expires_at);
