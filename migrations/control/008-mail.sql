-- Mails to be sent, and those sent in the last days (docs/design/mail.md). A row has neither the text nor an address:
-- both are made when the mail is sent.
create table {{control}}.mails (
  -- Its Message-ID is made of it.
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  kind text not null check (kind in ('digest', 'invitation', 'sign_in_link')),
  -- Of a person who has not chosen one; null: English.
  language text,
  created_at timestamptz(3) not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'skipped', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- A short reason, without addresses and without text of the mail server.
  error text
);

-- A person has one waiting mail of each kind.
create unique index mails_waiting on {{control}}.mails (workspace_id, user_id, kind) where state = 'waiting';
create index mails_due on {{control}}.mails (next_attempt_at) where state = 'waiting';
create index mails_ended on {{control}}.mails (ended_at) where state <> 'waiting';
