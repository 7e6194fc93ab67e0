-- The service tables of one workspace. Record tables are made from its definition document.

-- json and not jsonb in all of them: as it was sent, in its order.
create table {{workspace}}._definitions (
  revision integer primary key,
  -- What is in force: `patch` merged over the base document of the release that applied it.
  document json not null,
  -- The workspace's own document, as it was applied.
  patch json not null,
  applied_at timestamptz(3) not null default now(),
  -- Exactly one row has it: what the writes of this workspace see and hold (docs/decisions.md, D99).
  in_force boolean not null default false,
  -- Who applied it, through what, and what it changed (docs/decisions.md, D233).
  applied_by_user_id integer,
  source text constraint _definitions_source_check check (source in ('api', 'import', 'cli')),
  -- A list of {path, action, summary}, in the order of the plan.
  changes json,
  -- The names under which the definition has its values and its search rows, where these are not its keys: a
  -- rename then moves nothing (docs/decisions.md, D420). It is not part of the document.
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

-- One row for each effective write (docs/decisions.md): keys of changed fields, never values. Also what is done beside
-- records: sign-ins, keys, people, roles, definitions, jobs (D259). Such a row names a subject instead of an object type and
-- a record. Live events are read from it in the order of transactions (D58), so that a reader who has seen all that had
-- ended at one moment finds what ended later.
create table {{workspace}}._audit (
  id bigint generated always as identity,
  at timestamptz(3) not null default now(),
  api_key_id uuid,
  api_key_prefix text,
  -- Null: the operator, by a command, or a sign-in of nobody known.
  user_id integer,
  object_type text collate "C",
  record_id uuid,
  action text not null,
  changed_fields text[] not null,
  source text not null
    constraint _audit_source_check check (source in ('api', 'import', 'cli', 'bulk')),
  request_id text,
  batch_id uuid,
  -- 0 in the rows of a restored file: nobody is told of them.
  transaction xid8 not null default pg_current_xact_id(),
  comment_id uuid,
  -- Whose a deleted record was; it decides who is told that it is gone.
  reach_user_id integer,
  session_id uuid,
  subject_type text collate "C",
  subject_id text collate "C",
  -- True: nobody named the record in the request, its reference to a record that was deleted became null. The row is for
  -- those who may read the record it is about (D395).
  consequence boolean not null default false,
  primary key (transaction, id),
  constraint _audit_subject_check check (
    (object_type is null) = (record_id is null) and (object_type is null) = (subject_type is not null)
  )
);

create index _audit_record on {{workspace}}._audit (record_id, id);
-- Read newest first, by everybody for what they did themselves: each page is a range of one of these (D246).
create index _audit_time on {{workspace}}._audit (at, id);
create index _audit_user on {{workspace}}._audit (user_id, at, id);

-- What /search looks in (docs/decisions.md, D93): every record has a row for each word that a
-- searchable text of it has, with the text from this word on. Written with the record.
create table {{workspace}}._search (
  record_id uuid not null,
  -- `<object type>.<field key>`: where the text is from, and so who may read it.
  source text collate "C" not null,
  -- 0: start of the display value, 1: start of another value, 2: a later word of either.
  place smallint not null,
  text text collate "C" not null,
  -- Whom the record belongs to: its owner, without owners its author.
  reach_user_id integer,
  created_at timestamptz(3) not null,
  -- Records that have several words are found by it (docs/design/search-index.md, D370).
  words tsvector
);

comment on column {{workspace}}._search.text is
  'Normalised, from one of its words on; of a telephone number also from its end, behind <.';
comment on column {{workspace}}._search.words is
  'In one row of a record: each of its words behind the source of the text, and the person it belongs to behind @.';

create index _search_record on {{workspace}}._search (record_id);
-- Few hits are found by text, many by age among those that start alike. Both answer a search without
-- the table, whose pages would be read in no order.
create index _search_display_text on {{workspace}}._search (text, created_at desc)
  include (record_id, source) where place = 0;
create index _search_word_text on {{workspace}}._search (text, place, created_at desc)
  include (record_id, source) where place > 0;
create index _search_display_age on {{workspace}}._search (left(text, 2), created_at desc, text)
  include (record_id, source) where place = 0;
create index _search_word_age on {{workspace}}._search (left(text, 2), created_at desc, text)
  include (record_id, source) where place > 0;
-- For those who see the records of a few people only.
create index _search_person on {{workspace}}._search (reach_user_id, text);
-- Without a list of pending entries, which every search would have to read.
create index _search_all_words on {{workspace}}._search using gin (words)
  with (fastupdate = off) where words is not null;
-- The condition is not one that a search for words implies: PostgreSQL would take this index for it.
create index _search_all_age on {{workspace}}._search (created_at desc) where length(words) >= 0;

-- The words of all those texts, by the spellings of slips(). Not unique: nobody waits for a word that
-- somebody else is adding at the same time, and a word that is here twice is still one word.
create table {{workspace}}._search_words (
  variant text collate "C" not null,
  word text collate "C" not null
);

create index _search_words_variant on {{workspace}}._search_words (variant);
create index _search_words_word on {{workspace}}._search_words (word);

-- Tables without a key say which row was changed by the whole row, so that logical replication, by which Citus moves a
-- workspace to another server while it is written to, takes their changes along.
alter table {{workspace}}._search replica identity full;
alter table {{workspace}}._search_words replica identity full;

-- Links between records that no field holds (docs/decisions.md, D102): associations and custom links.
-- Record tables come and go with the definition, so there are no foreign keys; the service locks both
-- records of a link and removes links with their records. A relationship of an object with itself has
-- a row in each direction.
create table {{workspace}}._links (
  -- Key of the relationship in the definition document.
  relationship text collate "C" not null,
  from_id uuid not null,
  to_id uuid not null,
  -- True when a record at this end has at most one such link.
  from_one boolean not null,
  to_one boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (from_id, relationship, to_id)
);

create index _links_to on {{workspace}}._links (to_id, relationship, from_id);
create unique index _links_from_one on {{workspace}}._links (relationship, from_id) where from_one;
create unique index _links_to_one on {{workspace}}._links (relationship, to_id) where to_one;

-- Answers to requests with an Idempotency-Key, kept for 24 hours (docs/decisions.md, D50). Written by
-- the transaction of the request itself: a row is here exactly when its effect is.
create table {{workspace}}._idempotency (
  api_key_id uuid not null,
  key text collate "C" not null,
  -- SHA-256 of method, path and body.
  fingerprint bytea not null,
  status smallint not null,
  etag text,
  body json not null,
  -- Whose read rights are checked before it is sent again.
  object_type text collate "C" not null,
  record_ids uuid[] not null,
  -- Owner or author of each record, for records that are gone by then.
  reach_user_ids integer[] not null,
  -- Keys of the fields whose values the body has.
  fields text[] not null,
  stored_at timestamptz(3) not null default now(),
  -- Of each record, when a batch was about several objects (D285). Null: all are of object_type.
  record_types text[] collate "C",
  primary key (api_key_id, key)
);

create index _idempotency_age on {{workspace}}._idempotency (stored_at);

-- Comments on records, and the notifications of those they mention (docs/decisions.md, D57, D58). Record
-- tables come and go with the definition, so there are no foreign keys; the service holds the record
-- while it adds a comment, and removes both with the record.
create table {{workspace}}._comments (
  id uuid primary key,
  object_type text collate "C" not null,
  record_id uuid not null,
  body text collate "C" not null,
  author_user_id integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- Read from either end.
create index _comments_record on {{workspace}}._comments (record_id, created_at, id);

-- One row for each mentioned user who could read the record. The text is in the comment only.
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

-- Stored data that no definition in force names (docs/decisions.md, D261): it was replaced or dropped and is
-- deleted in portions, or it is being built for a definition that is not in force yet.
create table {{workspace}}._leftovers (
  id integer generated always as identity primary key,
  -- `search`: rows of _search. `custom`: a key in `custom_fields`. `column`: a column.
  kind text collate "C" not null check (kind in ('search', 'custom', 'column')),
  -- The table of records; null for search rows.
  table_name text collate "C",
  name text collate "C" not null,
  -- How far its build is; null: nobody needs it any more.
  build json,
  -- Which job builds it, and goes on when its process is gone.
  job_id uuid
);

-- Questions that people keep (docs/decisions.md, D290): never an answer, so whoever opens one sees what they may.
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
  -- What is computed of each column of a board or group of a table (D350); null where a view does not say.
  metrics json,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index on {{workspace}}._views (object_type);
create index on {{workspace}}._views (owner_user_id, object_type);

-- The order in which a person has the views of an object, and which of them opens first.
create table {{workspace}}._view_orders (
  user_id integer not null references {{workspace}}._users (id),
  object_type text collate "C" not null,
  view_ids uuid[] not null,
  default_view_id uuid,
  primary key (user_id, object_type)
);

-- What processes remember of people: see `changes` in the control schema.

create trigger note_change after insert or update or delete or truncate on {{workspace}}._users
  for each statement execute function {{control}}.note_people_change();

create trigger note_change after insert or update or delete or truncate on {{workspace}}._team_members
  for each statement execute function {{control}}.note_people_change();
