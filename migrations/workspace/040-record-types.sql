-- A batch over several objects stores one answer about records of all of them (docs/decisions.md, D285).
-- Null: all are of object_type.
alter table {{workspace}}._idempotency add column record_types text[] collate "C";
