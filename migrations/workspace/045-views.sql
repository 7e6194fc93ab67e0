-- Questions that people keep (docs/decisions.md, D290): never an answer, so whoever opens one sees what they may.
create table {{workspace}}._views (
  id uuid primary key,
  object_type text collate "C" not null,
  owner_user_id integer not null references {{workspace}}._users (id),
  name text collate "C" not null,
  kind text not null check (kind in ('table', 'board', 'report')),
  shared text not null check (shared in ('private', 'team', 'workspace')),
  -- json and not jsonb: as it was sent, in its order.
  query json not null,
  columns json not null,
  group_by text collate "C",
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index on {{workspace}}._views (object_type);
create index on {{workspace}}._views (owner_user_id, object_type);

-- The order in which a person has the views of an object, and which of them opens first.
create table {{workspace}}._view_orders (
  user_id integer not null references {{workspace}}._users (id),
  object_type text collate "C" not null,
  view_ids uuid[] not null,
  default_view_id uuid,
  primary key (user_id, object_type)
);
