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
