-- The person as whom an administrator views the workspace, in a session of theirs (docs/decisions.md, D536). It ends with
-- the session.
alter table {{control}}.sessions
  add column viewed_user_id integer,
  add column viewed_until timestamptz(3);

drop trigger note_change on {{control}}.sessions;
create trigger note_change
  after update of ended_at, expires_at, viewed_user_id, viewed_until on {{control}}.sessions
  for each row execute function {{control}}.note_key_change();
