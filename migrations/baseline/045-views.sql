-- What all files of `migrations/workspace` up to the one of this name make of an empty schema, but for the triggers:
-- how a new workspace gets its tables (docs/decisions.md, D341). A test compares both. Why each is as it is stands in
-- those files.

create table {{workspace}}._definitions (
  revision integer primary key,
  document json not null,
  patch json not null,
  applied_at timestamptz(3) not null default now(),
  in_force boolean not null default false,
  applied_by_user_id integer,
  source text constraint _definitions_source_check check (source in ('api', 'import', 'cli')),
  changes json,
  storage json not null default '{}'
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

create table {{workspace}}._audit (
  id bigint generated always as identity,
  at timestamptz(3) not null default now(),
  api_key_id uuid,
  api_key_prefix text,
  user_id integer,
  object_type text collate "C",
  record_id uuid,
  action text not null,
  changed_fields text[] not null,
  source text not null
    constraint _audit_source_check check (source in ('api', 'import', 'cli', 'bulk')),
  request_id text,
  batch_id uuid,
  transaction xid8 not null default pg_current_xact_id(),
  comment_id uuid,
  reach_user_id integer,
  session_id uuid,
  subject_type text collate "C",
  subject_id text collate "C",
  primary key (transaction, id),
  constraint _audit_subject_check check (
    (object_type is null) = (record_id is null) and (object_type is null) = (subject_type is not null)
  )
);

create index _audit_record on {{workspace}}._audit (record_id, id);
create index _audit_time on {{workspace}}._audit (at, id);
create index _audit_user on {{workspace}}._audit (user_id, at, id);

create table {{workspace}}._search (
  record_id uuid not null,
  source text collate "C" not null,
  place smallint not null,
  text text collate "C" not null,
  reach_user_id integer,
  created_at timestamptz(3) not null
);

create index _search_record on {{workspace}}._search (record_id);
create index _search_display_text on {{workspace}}._search (text, created_at desc)
  include (record_id, source) where place = 0;
create index _search_word_text on {{workspace}}._search (text, place, created_at desc)
  include (record_id, source) where place > 0;
create index _search_display_age on {{workspace}}._search (left(text, 2), created_at desc, text)
  include (record_id, source) where place = 0;
create index _search_word_age on {{workspace}}._search (left(text, 2), created_at desc, text)
  include (record_id, source) where place > 0;
create index _search_person on {{workspace}}._search (reach_user_id, text);

comment on column {{workspace}}._search.text is
  'Normalised, from one of its words on; of a telephone number also from its end, behind <.';

create table {{workspace}}._search_words (
  variant text collate "C" not null,
  word text collate "C" not null
);

create index _search_words_variant on {{workspace}}._search_words (variant);
create index _search_words_word on {{workspace}}._search_words (word);

create table {{workspace}}._links (
  relationship text collate "C" not null,
  from_id uuid not null,
  to_id uuid not null,
  from_one boolean not null,
  to_one boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (from_id, relationship, to_id)
);

create index _links_to on {{workspace}}._links (to_id, relationship, from_id);
create unique index _links_from_one on {{workspace}}._links (relationship, from_id) where from_one;
create unique index _links_to_one on {{workspace}}._links (relationship, to_id) where to_one;

create table {{workspace}}._idempotency (
  api_key_id uuid not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint not null,
  etag text,
  body json not null,
  object_type text collate "C" not null,
  record_ids uuid[] not null,
  reach_user_ids integer[] not null,
  fields text[] not null,
  stored_at timestamptz(3) not null default now(),
  record_types text[] collate "C",
  primary key (api_key_id, key)
);

create index _idempotency_age on {{workspace}}._idempotency (stored_at);

create table {{workspace}}._comments (
  id uuid primary key,
  object_type text collate "C" not null,
  record_id uuid not null,
  body text collate "C" not null,
  author_user_id integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index _comments_record on {{workspace}}._comments (record_id, created_at, id);

create table {{workspace}}._notifications (
  id uuid primary key,
  user_id integer not null,
  comment_id uuid not null,
  object_type text collate "C" not null,
  record_id uuid not null,
  author_user_id integer not null,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3)
);

create index _notifications_user on {{workspace}}._notifications (user_id, created_at desc, id desc);
create index _notifications_unread on {{workspace}}._notifications (user_id, created_at desc, id desc)
  where read_at is null;
create index _notifications_record on {{workspace}}._notifications (record_id);

create table {{workspace}}._leftovers (
  id integer generated always as identity primary key,
  kind text collate "C" not null check (kind in ('search', 'custom', 'column')),
  table_name text collate "C",
  name text collate "C" not null,
  build json,
  job_id uuid
);

create table {{workspace}}._views (
  id uuid primary key,
  object_type text collate "C" not null,
  owner_user_id integer not null references {{workspace}}._users (id),
  name text collate "C" not null,
  kind text not null check (kind in ('table', 'board', 'report')),
  shared text not null check (shared in ('private', 'team', 'workspace')),
  query json not null,
  columns json not null,
  group_by text collate "C",
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index on {{workspace}}._views (object_type);
create index on {{workspace}}._views (owner_user_id, object_type);

create table {{workspace}}._view_orders (
  user_id integer not null references {{workspace}}._users (id),
  object_type text collate "C" not null,
  view_ids uuid[] not null,
  default_view_id uuid,
  primary key (user_id, object_type)
);
