-- What /search looks in (docs/decisions.md, D93): every record has a row for each word that a
-- searchable text of it has, with the text from this word on. Written with the record.

create table {{workspace}}._search (
  record_id uuid not null,
  -- `<object type>.<field key>`: where the text is from, and so who may read it.
  source text collate "C" not null,
  -- 0: start of the display value, 1: start of another value, 2: a later word of either.
  place smallint not null,
  text text collate "C" not null,
  -- Whom the record belongs to: its owner, without owners its author.
  reach_user_id integer,
  created_at timestamptz(3) not null
);

create index _search_record on {{workspace}}._search (record_id);

-- Few hits are found by text, many by age among those that start alike. Both answer a search without
-- the table, whose pages would be read in no order.
create index _search_display_text on {{workspace}}._search (text, created_at desc)
  include (record_id, source) where place = 0;
create index _search_word_text on {{workspace}}._search (text, place, created_at desc)
  include (record_id, source) where place > 0;
create index _search_display_age on {{workspace}}._search (left(text, 2), created_at desc, text)
  include (record_id, source) where place = 0;
create index _search_word_age on {{workspace}}._search (left(text, 2), created_at desc, text)
  include (record_id, source) where place > 0;

-- For those who see the records of a few people only.
create index _search_person on {{workspace}}._search (reach_user_id, text);

-- The words of all those texts, by the spellings of slips(). Not unique: nobody waits for a word that
-- somebody else is adding at the same time, and a word that is here twice is still one word.
create table {{workspace}}._search_words (
  variant text collate "C" not null,
  word text collate "C" not null
);

create index _search_words_variant on {{workspace}}._search_words (variant);
create index _search_words_word on {{workspace}}._search_words (word);
