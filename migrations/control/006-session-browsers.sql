-- The browser of a session as it named itself at the sign-in, so that people recognise their sessions (D511). Empty: it
-- did not say, or the session is older than this column.
alter table {{control}}.sessions add column user_agent text not null default '';
