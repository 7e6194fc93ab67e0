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

-- One row a mentioned user who could read the record. The text is in the comment only.
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
