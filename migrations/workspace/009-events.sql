-- The audit is what live events are read from (docs/decisions.md, D58): in the order of transactions, so
-- that a reader who has seen all that had ended at one moment finds what ended later.
alter table {{workspace}}._audit
  -- Of rows that are older than this column nobody is told.
  add column transaction xid8 not null default '0',
  add column comment_id uuid,
  -- Whose a deleted record was; it decides who is told that it is gone.
  add column reach_user_id integer;
alter table {{workspace}}._audit alter column transaction set default pg_current_xact_id();

-- In the place of the key there was: a write costs no index more.
alter table {{workspace}}._audit drop constraint _audit_pkey;
alter table {{workspace}}._audit add primary key (transaction, id);
