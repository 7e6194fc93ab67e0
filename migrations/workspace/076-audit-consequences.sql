-- A row of a record that nobody named in the request: its reference to a record that was deleted became null. It is for
-- those who may read the record it is about (docs/decisions.md, D395).
alter table {{workspace}}._audit add column consequence boolean not null default false;
-- Rows of earlier releases: whether the request named the record as well cannot be told any longer.
update {{workspace}}._audit a set consequence = true
  where a.action = 'update' and a.transaction > '0' and exists (
    select from {{workspace}}._audit d where d.transaction = a.transaction and d.action = 'delete');
