-- Spellings one slip of the keyboard away (docs/decisions.md, D93): the word itself and every form
-- that lacks one of its characters. Two words that share such a form differ by one or two slips.
create function {{control}}.slips(word text) returns setof text
language sql immutable strict parallel safe rows 10
begin atomic
  select word
  union
  select substr(word, 1, place - 1) || substr(word, place + 1)
  from generate_series(1, length(word)) place;
end;
