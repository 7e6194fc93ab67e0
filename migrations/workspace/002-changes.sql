-- What readers of changes need beside the keys of an audit row (docs/design/changes.md).

-- The counter of the record after the change. Null in rows that are not about the content of a record.
alter table {{workspace}}._audit add column revision integer;
-- The revision of the definition whose keys the row has: a rename leaves it as it is.
alter table {{workspace}}._audit add column definition integer;
