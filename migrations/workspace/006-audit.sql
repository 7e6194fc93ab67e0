-- The audit is read by record, and by time: at the end of a table that only grows a BRIN index finds a
-- stretch of time and costs a write next to nothing.
drop index {{workspace}}._audit_object_type_record_id_id_idx;
create index _audit_record on {{workspace}}._audit (record_id, id);
create index _audit_time on {{workspace}}._audit using brin (at);
