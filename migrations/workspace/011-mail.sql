-- Notifications of more than mentions, records that people follow, and how people want to hear of them
-- (docs/design/notifications.md).

-- Null in rows of a release before: their comment or status request says what they are.
alter table {{workspace}}._notifications add column kind text collate "C";
-- A webhook or a job, where there is no record.
alter table {{workspace}}._notifications add column subject_id uuid;
-- The due date of a work item: its owner is notified once.
alter table {{workspace}}._notifications add column due_on date;
-- The mail that has it, in the control schema.
alter table {{workspace}}._notifications add column mail_id uuid;
alter table {{workspace}}._notifications alter column object_type drop not null;
alter table {{workspace}}._notifications alter column record_id drop not null;
alter table {{workspace}}._notifications alter column author_user_id drop not null;
alter table {{workspace}}._notifications drop constraint _notifications_about_check;
alter table {{workspace}}._notifications add constraint _notifications_about_check check (
  num_nonnulls(record_id, subject_id) = 1 and (object_type is null) = (record_id is null)
  and num_nonnulls(comment_id, status_request_id, due_on, subject_id) <= 1
);

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
