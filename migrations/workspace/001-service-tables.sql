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
    constraint _audit_source_check check (source in ('api', 'import', 'cli', 'bulk', 'mcp')),
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
  -- What readers of changes need (docs/design/changes.md): the counter of the record after the change, null in rows that
  -- are not about the content of a record, and the revision of the definition whose keys the row has, which a rename
  -- leaves as it is.
  revision integer,
  definition integer,
  -- Of rows about a request for a move, and of the move that it led to.
  status_request_id uuid,
  requested_by integer,
  approved_by integer[],
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

-- Comments on records (docs/decisions.md, D57). Record
-- tables come and go with the definition, so there are no foreign keys; the service holds the record
-- while it adds a comment, and removes comments with the record.
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

-- What people hear of (docs/design/notifications.md, docs/decisions.md, D58): one row for each person. The text is where it
-- was written only.
create table {{workspace}}._notifications (
  id uuid primary key,
  user_id integer not null,
  comment_id uuid,
  object_type text collate "C",
  record_id uuid,
  author_user_id integer,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  status_request_id uuid,
  -- Null in rows of a release before: their comment or status request says what they are.
  kind text collate "C",
  -- A webhook or a job, where there is no record.
  subject_id uuid,
  -- The due date of a work item: its owner is notified once.
  due_on date,
  -- The mail that has it, in the control schema.
  mail_id uuid,
  constraint _notifications_about_check check (
    num_nonnulls(record_id, subject_id) = 1 and (object_type is null) = (record_id is null)
    and num_nonnulls(comment_id, status_request_id, due_on, subject_id) <= 1
  )
);

create index _notifications_user on {{workspace}}._notifications (user_id, created_at desc, id desc);
create index _notifications_unread on {{workspace}}._notifications (user_id, created_at desc, id desc)
  where read_at is null;
create index _notifications_record on {{workspace}}._notifications (record_id);
create unique index _notifications_due on {{workspace}}._notifications (record_id, user_id, due_on)
  where due_on is not null;
create index _notifications_unmailed on {{workspace}}._notifications (created_at)
  where mail_id is null and read_at is null;
create index _notifications_mail on {{workspace}}._notifications (mail_id) where mail_id is not null;

-- The records whose comments people want to hear of.
create table {{workspace}}._follows (
  user_id integer not null,
  object_type text collate "C" not null,
  record_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (record_id, user_id)
);

create index _follows_user on {{workspace}}._follows (user_id);

-- A person without a row has the defaults.
create table {{workspace}}._notification_settings (
  user_id integer primary key,
  mail text not null default 'at_once'
    constraint _notification_settings_mail_check check (mail in ('off', 'at_once', 'hourly', 'daily')),
  -- Kinds that are switched off in the list, and in mail.
  list_off text[] not null default '{}',
  mail_off text[] not null default '{}',
  -- Null: that of the browser in the list, English in mail.
  language text constraint _notification_settings_language_check check (language in ('en', 'de')),
  time_zone text not null default 'UTC'
);

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
  kind text not null check (kind in ('table', 'board', 'calendar', 'report')),
  shared text not null check (shared in ('private', 'team', 'workspace')),
  query json not null,
  columns json not null,
  group_by text collate "C",
  -- What is computed of each column of a board or group of a table (D350); null where a view does not say.
  metrics json,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- How a report is drawn; null: the client chooses.
  chart text constraint _views_chart_check check (chart in ('table', 'bars', 'lines', 'funnel', 'number'))
);

create index on {{workspace}}._views (object_type);
create index on {{workspace}}._views (owner_user_id, object_type);

-- The order in which a person has the views of an object, which of them opens first, and which are favorites.
create table {{workspace}}._view_orders (
  user_id integer not null references {{workspace}}._users (id),
  object_type text collate "C" not null,
  view_ids uuid[] not null,
  default_view_id uuid,
  favorite_view_ids uuid[] not null default '{}',
  primary key (user_id, object_type)
);

-- Reports on one page (docs/design/reports.md).
create table {{workspace}}._dashboards (
  id uuid primary key,
  owner_user_id integer not null references {{workspace}}._users (id),
  name text collate "C" not null,
  shared text not null check (shared in ('private', 'team', 'workspace')),
  -- Reports in their order, each with its width; a deleted one stays until somebody removes it.
  tiles json not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index on {{workspace}}._dashboards (owner_user_id);

-- What is sent to other systems, and what became of it (docs/design/webhooks.md).
create table {{workspace}}._webhooks (
  id uuid primary key,
  -- Whom it reads as.
  owner_user_id integer not null references {{workspace}}._users (id),
  -- The key it was made or last changed with, and the scopes of that: it reads no more than these. Null: a session.
  api_key_id uuid,
  api_key_prefix text,
  scopes text[] not null,
  url text not null,
  events text[] not null,
  object_types text[] collate "C" not null,
  changed_fields text[] collate "C" not null,
  -- Conditions on the record as it is when it is sent, and the time zone of their days.
  "where" json,
  timezone text,
  status_to text[] collate "C" not null,
  "except" json not null,
  payload text not null check (payload in ('thin', 'record')),
  header_names text[] not null default '{}',
  -- Encrypted (docs/decisions.md, D465); no file of a workspace has them.
  headers text,
  secret text,
  previous_secret text,
  previous_secret_until timestamptz(3),
  state text not null default 'active'
    check (state in ('active', 'paused', 'failing', 'disabled', 'broken')),
  -- Why it is not active: a code and a sentence.
  reason text,
  reason_message text,
  -- The first failure since the last success.
  failing_since timestamptz(3),
  -- When its owner was told that it fails.
  told_at timestamptz(3),
  -- When the receiver last answered a ping; nothing else is sent before.
  verified_at timestamptz(3),
  -- Since when it neither sends nor moves; its position is kept for a week.
  stopped_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index on {{workspace}}._webhooks (owner_user_id);

-- How far each webhook is. Apart from what people change, for it changes many times a second.
create table {{workspace}}._webhook_positions (
  webhook_id uuid primary key references {{workspace}}._webhooks (id) on delete cascade,
  -- Null: it begins with what is written after its first ping.
  position text,
  position_at timestamptz(3) not null default now(),
  -- The process that may store positions here.
  lease_holder text
);

-- One row for each event that was sent to a webhook, or was to be sent; never what it said.
create table {{workspace}}._webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references {{workspace}}._webhooks (id) on delete cascade,
  -- `webhook-id`: the same for all attempts.
  event_id text collate "C" not null,
  type text not null,
  -- Its row in the audit; null of a ping.
  transaction xid8,
  audit_id bigint,
  -- Of an event about the rights of its owner: what they could read before.
  rights text,
  object_type text collate "C",
  record_id uuid,
  state text not null check (state in ('pending', 'delivered', 'failed', 'dropped')),
  attempts integer not null default 0,
  -- Failed attempts since it was last to be sent from the beginning: they decide when the next one is.
  failures integer not null default 0,
  next_attempt_at timestamptz(3),
  -- Of the last attempt.
  attempted_at timestamptz(3),
  last_status smallint,
  error text,
  answer text,
  request_id text,
  duration_ms integer,
  created_at timestamptz(3) not null default now(),
  unique (webhook_id, event_id)
);

create index _webhook_deliveries_list on {{workspace}}._webhook_deliveries (webhook_id, id);
create index _webhook_deliveries_due on {{workspace}}._webhook_deliveries (webhook_id, next_attempt_at)
  where state = 'pending';
create index _webhook_deliveries_record on {{workspace}}._webhook_deliveries (webhook_id, record_id, id)
  where state = 'pending';
create index _webhook_deliveries_age on {{workspace}}._webhook_deliveries (created_at);

-- The values that changes of records have replaced, of objects whose definition has a history (docs/design/history.md).
-- Never in the audit: this goes with the record, after a time, and when the definition has no history any longer.
create table {{workspace}}._history (
  -- The table of the records: the same after a rename (docs/decisions.md, D420).
  table_name text collate "C" not null,
  record_id uuid not null,
  -- The counter of the record after the change.
  revision integer not null,
  -- The revision of the definition whose keys the row has: a rename leaves it as it is.
  definition integer not null,
  at timestamptz(3) not null default now(),
  action text not null,
  user_id integer not null,
  source text not null,
  -- Keys of the changed fields, and their values before and after.
  fields text[] collate "C" not null,
  old_values json not null,
  new_values json not null,
  primary key (record_id, table_name, revision)
);

-- Rows that are too old are deleted.
create index _history_age on {{workspace}}._history (table_name, at);

-- Deleted records of objects that keep them for a while (docs/design/trash.md). No other table has anything of them.
create table {{workspace}}._trash (
  -- Of the object; a rename leaves it as it is.
  table_name text collate "C" not null,
  record_id uuid not null,
  -- The row as it was, by the names of its columns.
  content jsonb not null,
  -- Its counter after the delete.
  revision integer not null,
  -- Whom it belonged to: its owner, without owners its author.
  reach_user_id integer,
  deleted_by_user_id integer not null,
  deleted_at timestamptz(3) not null default now(),
  -- When it goes for good.
  kept_until timestamptz(3) not null,
  -- Its rows of _comments and _links; null: none.
  comments jsonb,
  links jsonb,
  -- References that became null with it, as [table, record, column]; null: none.
  cleared jsonb,
  primary key (record_id, table_name)
);

create index _trash_list on {{workspace}}._trash (table_name, deleted_at desc, record_id desc);
create index _trash_age on {{workspace}}._trash (kept_until);

-- Moves that were asked for, and what approvers said to them (docs/design/approvals.md).

create table {{workspace}}._status_requests (
  id uuid primary key,
  object_type text collate "C" not null,
  record_id uuid not null,
  -- Keys of the definition in force: a rename changes them.
  workflow_id text collate "C" not null,
  from_status text collate "C" not null,
  to_status text collate "C" not null,
  -- The counter of the record when the move was asked for.
  record_revision integer not null,
  comment text collate "C",
  -- Who asked, and through what: the move is made as this person.
  requested_by integer not null,
  api_key_id uuid,
  api_key_prefix text,
  session_id uuid,
  requested_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  state text not null default 'pending'
    constraint _status_requests_state_check
      check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'expired')),
  decided_at timestamptz(3),
  constraint _status_requests_decided_check check ((state = 'pending') = (decided_at is null))
);

create unique index _status_requests_pending on {{workspace}}._status_requests (record_id, to_status)
  where state = 'pending';
create index _status_requests_record on {{workspace}}._status_requests (record_id);
create index _status_requests_time on {{workspace}}._status_requests (requested_at desc, id desc);
create index _status_requests_expiry on {{workspace}}._status_requests (expires_at)
  where state = 'pending';

-- The number orders the decisions of a request; two approvers cannot both have made the last one.
create table {{workspace}}._status_decisions (
  request_id uuid not null references {{workspace}}._status_requests (id) on delete cascade,
  number integer not null,
  user_id integer not null,
  decision text not null check (decision in ('approved', 'rejected')),
  comment text collate "C",
  at timestamptz(3) not null default now(),
  primary key (request_id, number),
  unique (request_id, user_id)
);

-- Files of records (docs/design/files.md); their bytes are in a folder or a bucket.
create table {{workspace}}._files (
  id uuid primary key,
  name text collate "C" not null,
  -- The media type it was sent as.
  type text collate "C" not null,
  -- Of its bytes; while they arrive, as far as the client has said how many there are.
  size bigint not null,
  -- Null: it has not arrived completely.
  sha256 bytea,
  uploaded_by integer not null,
  uploaded_at timestamptz(3) not null default now(),
  -- The field of a record that has it, or had it last, by stored names: a rename leaves them as they are.
  table_name text collate "C",
  record_id uuid,
  column_name text collate "C",
  -- Since when no record has it; null: a record has it.
  released_at timestamptz(3) default now(),
  -- Its bytes are being removed.
  is_going boolean not null default false,
  constraint _files_place_check check ((table_name is null) = (record_id is null) and (table_name is null) = (column_name is null))
);

create index _files_place on {{workspace}}._files (table_name, column_name, record_id) where table_name is not null;
create index _files_released on {{workspace}}._files (released_at) where released_at is not null;

-- What processes remember of people: see `changes` in the control schema.

create trigger note_change after insert or update or delete or truncate on {{workspace}}._users
  for each statement execute function {{control}}.note_people_change();

create trigger note_change after insert or update or delete or truncate on {{workspace}}._team_members
  for each statement execute function {{control}}.note_people_change();
