-- Invitations live for days, sign-in links for 30 minutes (docs/design/sessions.md, D703).
alter table {{control}}.sign_in_links add column purpose text not null default 'sign_in'
  check (purpose in ('sign_in', 'invitation'));

-- For how many hours the link of a mail is valid; null: as a sign-in link.
alter table {{control}}.mails add column link_hours integer;
