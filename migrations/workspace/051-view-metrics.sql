-- What is computed of each column of a board or group of a table (docs/decisions.md, D350); null where a view does not say. json and not jsonb:
-- as it was sent, in its order.
alter table {{workspace}}._views add column metrics json;
