-- Deleted records keep who follows them; null: nobody.
alter table {{workspace}}._trash add column follows jsonb;
