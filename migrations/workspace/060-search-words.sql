-- Records that have several words are found by one value with all words of a record, which one of its rows in _search
-- bears (docs/design/search-index.md, D370). After this the rows of _search are made anew.
alter table {{workspace}}._search add column words tsvector;
comment on column {{workspace}}._search.words is
  'In one row of a record: each of its words behind the source of the text, and the person it belongs to behind @.';

-- Without a list of pending entries, which every search would have to read.
create index _search_all_words on {{workspace}}._search using gin (words)
  with (fastupdate = off) where words is not null;
-- The condition is not one that a search for words implies: PostgreSQL would take this index for it.
create index _search_all_age on {{workspace}}._search (created_at desc) where length(words) >= 0;
