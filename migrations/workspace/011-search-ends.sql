-- After this the rows of _search are made anew: telephone numbers have one more, and words with digits
-- have their slips (docs/decisions.md, D175, D176). Words that are known stay known.
comment on column {{workspace}}._search.text is
  'Normalised, from one of its words on; of a telephone number also from its end, behind <.';
