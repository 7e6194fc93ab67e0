-- Workspaces that have webhooks, and the process that sends for each of them at present (docs/design/webhooks.md).
create table {{control}}.webhook_runners (
  workspace_id integer primary key references {{control}}.workspaces (id) on delete cascade,
  -- Null, or a time that is over: any process may take it.
  lease_holder text,
  lease_until timestamptz(3),
  -- When webhooks were last added or changed; the row goes when there are none and nobody has added one since.
  wanted_at timestamptz not null default clock_timestamp()
);
