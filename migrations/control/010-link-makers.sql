-- The administrator who has made a link, or asked for the mail that carries it (docs/design/sessions.md, D730); null: the
-- operator, or the person for whom it is. Links that were made before have none; they are valid for 30 minutes.
alter table {{control}}.sign_in_links add column maker_user_id integer;
alter table {{control}}.mails add column maker_user_id integer;
