-- Which life of the database this is (docs/decisions.md, D170). After a crash PostgreSQL gives out
-- transaction numbers again that it had given out and shown before, so that they order what happened
-- only within one life. The table is unlogged: a recovery empties it, as it does on a standby that is
-- promoted and in a restored base backup, and a server that was stopped in order keeps it. Whoever finds
-- it empty fills it.
create unlogged table {{control}}.crash_epoch (
  -- The table itself: a row that came with a dump is of another life.
  home oid primary key,
  epoch uuid not null
);
