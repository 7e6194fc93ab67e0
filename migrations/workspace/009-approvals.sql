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

-- Of rows about a request, and of the move that it led to.
alter table {{workspace}}._audit add column status_request_id uuid;
alter table {{workspace}}._audit add column requested_by integer;
alter table {{workspace}}._audit add column approved_by integer[];

-- A notification is about a comment, or about a request.
alter table {{workspace}}._notifications alter column comment_id drop not null;
alter table {{workspace}}._notifications add column status_request_id uuid;
alter table {{workspace}}._notifications add constraint _notifications_about_check
  check ((comment_id is null) <> (status_request_id is null));
