-- What processes remember of people: see `changes` in the control schema.

create trigger note_change after insert or update or delete or truncate on {{workspace}}._users
  for each statement execute function {{control}}.note_people_change();

create trigger note_change after insert or update or delete or truncate on {{workspace}}._team_members
  for each statement execute function {{control}}.note_people_change();
