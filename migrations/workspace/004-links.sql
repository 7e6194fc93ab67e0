-- Links between records that no field holds (docs/decisions.md, D102): associations and custom links.
-- Record tables come and go with the definition, so there are no foreign keys; the service locks both
-- records of a link and removes links with their records. A relationship of an object with itself has
-- a row in each direction.
create table {{workspace}}._links (
  -- Key of the relationship in the definition document.
  relationship text collate "C" not null,
  from_id uuid not null,
  to_id uuid not null,
  -- True when a record at this end has at most one such link.
  from_one boolean not null,
  to_one boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (from_id, relationship, to_id)
);

create index _links_to on {{workspace}}._links (to_id, relationship, from_id);
create unique index _links_from_one on {{workspace}}._links (relationship, from_id) where from_one;
create unique index _links_to_one on {{workspace}}._links (relationship, to_id) where to_one;
