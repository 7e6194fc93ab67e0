-- The audit is read newest first, by everybody for what they did themselves: each page is a range of one of
-- these indexes (docs/decisions.md, D246).
drop index {{workspace}}._audit_time;
create index _audit_time on {{workspace}}._audit (at, id);
create index _audit_user on {{workspace}}._audit (user_id, at, id);
