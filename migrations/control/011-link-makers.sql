-- The administrator who has made a link, or asked for the mail that carries it (docs/design/sessions.md, D730); null: the
-- operator, the person for whom it is, or a release that stored no maker.
alter table {{control}}.sign_in_links add column maker_user_id integer;
alter table {{control}}.mails add column maker_user_id integer;
