-- Tables without a key say which row was changed by the whole row, so that logical replication, by which Citus moves a
-- workspace to another server while it is written to, takes their changes along.
alter table {{workspace}}._search replica identity full;
alter table {{workspace}}._search_words replica identity full;
