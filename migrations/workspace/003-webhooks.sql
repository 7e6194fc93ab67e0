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
