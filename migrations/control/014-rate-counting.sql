-- The process that may count requests in its memory, because no other counts (docs/decisions.md, D851). Statements make
-- the only row again when a crash of the server has emptied the table.
create unlogged table {{control}}.rate_counting (
  only_row boolean primary key default true check (only_row),
  -- The process that counts in its memory, until the time beside it.
  alone uuid,
  alone_until timestamptz not null default '-infinity',
  -- The process that last announced that it counts.
  announced_by uuid,
  announced_at timestamptz not null default '-infinity',
  -- When a process last announced itself within a minute of another one.
  mixed_at timestamptz not null default '-infinity'
);
