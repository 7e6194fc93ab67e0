-- What 1.0.0-rc.2 adds to the tables of 1.0.0-rc.1.

-- Invitations live for days, sign-in links for 30 minutes (docs/design/sessions.md, D703).
alter table {{control}}.sign_in_links add column purpose text not null default 'sign_in'
  check (purpose in ('sign_in', 'invitation'));

-- For how many hours the link of a mail is valid; null: as a sign-in link.
alter table {{control}}.mails add column link_hours integer;

-- When `workspaces export` last wrote the file of a workspace (docs/operations.md, "Watching").
create table {{control}}.backups (
  workspace_id integer primary key references {{control}}.workspaces (id) on delete cascade,
  written_at timestamptz(3) not null
);

-- The administrator who has made a link, or asked for the mail that carries it (docs/design/sessions.md, D730); null: the
-- operator, the person for whom it is, or a release that stored no maker.
alter table {{control}}.sign_in_links add column maker_user_id integer;
alter table {{control}}.mails add column maker_user_id integer;

-- Files of imports and exports in more formats: workbooks, JSON, contact cards, LDIF (docs/decisions.md, D810).
alter table {{control}}.files drop constraint files_format_check;
alter table {{control}}.files add constraint files_format_check
  check (format in ('csv', 'tsv', 'jsonl', 'xlsx', 'json', 'vcf', 'ldif'));

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

-- The process that may count requests in its memory, because no other counts (docs/decisions.md, D851). Statements make
-- the only row again when a crash of the server has emptied the table.
create unlogged table {{control}}.rate_counting (
  only_row boolean primary key default true check (only_row),
  -- The process that counts in its memory, until the time beside it.
  alone uuid,
  alone_until timestamptz not null default '-infinity',
  -- The process that last announced that it counts.
  announced_by uuid,
  announced_at timestamptz not null default '-infinity',
  -- When a process last announced itself within a minute of another one.
  mixed_at timestamptz not null default '-infinity'
);

-- Second factors and passkeys (docs/design/second-factors.md). Like passwords they are no part of the file of a workspace.

-- The row of a person with a factor, one that is being set up, or a sign-in of grace.
create table {{control}}.second_factors (
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  -- The user handle of passkeys, which authenticators keep; also the place of the sealed secrets.
  handle uuid not null unique default gen_random_uuid(),
  -- Sealed secrets of one-time codes: the one in use, and one that waits for a first code.
  code_secret text collate "C",
  pending_secret text collate "C",
  code_created_at timestamptz(3),
  -- The step of 30 seconds of the last accepted code: no code counts twice.
  code_step bigint not null default 0,
  -- The one sign-in without a factor of a person whose role requires one.
  grace_at timestamptz(3),
  primary key (workspace_id, user_id)
);

create table {{control}}.recovery_codes (
  workspace_id integer not null,
  user_id integer not null,
  -- SHA-256; a used code has no row.
  code_hash bytea not null,
  primary key (workspace_id, user_id, code_hash),
  foreign key (workspace_id, user_id) references {{control}}.second_factors on delete cascade
);

create table {{control}}.passkeys (
  id uuid primary key,
  workspace_id integer not null,
  user_id integer not null,
  -- The host for which the authenticator made it (RP ID).
  host text collate "C" not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  -- The signature counter; 0 for authenticators without one.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  unique (workspace_id, credential_id),
  foreign key (workspace_id, user_id) references {{control}}.second_factors on delete cascade
);

create index on {{control}}.passkeys (workspace_id, user_id);

-- Random values that a factor answers, as SHA-256.
create table {{control}}.factor_challenges (
  token_hash bytea primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  -- Null: of a sign-in with a passkey alone, whose person is not known yet.
  user_id integer,
  -- How the person proved their identity before; null: the challenge of a new passkey.
  method text check (method in ('password', 'link', 'passkey')),
  expires_at timestamptz(3) not null
);

create index on {{control}}.factor_challenges (workspace_id, user_id);
create index on {{control}}.factor_challenges (expires_at);

alter table {{control}}.sessions
  drop constraint sessions_method_check,
  add constraint sessions_method_check check (method in ('password', 'link', 'oidc', 'passkey')),
  -- `given`: the person has proved a second factor; `grace`: a role requires one, and the session is there to set it up.
  add column second_factor text check (second_factor in ('given', 'grace'));

drop trigger note_change on {{control}}.sessions;
create trigger note_change
  after update of ended_at, expires_at, viewed_user_id, viewed_until, second_factor on {{control}}.sessions
  for each row execute function {{control}}.note_key_change();

alter table {{control}}.mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check
    check (kind in ('digest', 'invitation', 'sign_in_link', 'second_factor_reset'));

-- Calendar feeds (docs/design/calendar-feeds.md). A feed is a key with the id of the view that it reads.
alter table {{control}}.api_keys add column view_id uuid;

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
