-- Answers to requests with an Idempotency-Key, kept for 24 hours (docs/decisions.md, D50). Written by
-- the transaction of the request itself: a row is here exactly when its effect is.
create table {{workspace}}._idempotency (
  api_key_id uuid not null,
  key text collate "C" not null,
  -- SHA-256 of method, path and body.
  fingerprint bytea not null,
  status smallint not null,
  etag text,
  -- json and not jsonb: sent again as it was.
  body json not null,
  -- Whose read rights are checked before it is sent again.
  object_type text collate "C" not null,
  record_ids uuid[] not null,
  -- Owner or author of each record, for records that are gone by then.
  reach_user_ids integer[] not null,
  -- Keys of the fields whose values the body has.
  fields text[] not null,
  stored_at timestamptz(3) not null default now(),
  primary key (api_key_id, key)
);

create index _idempotency_age on {{workspace}}._idempotency (stored_at);
