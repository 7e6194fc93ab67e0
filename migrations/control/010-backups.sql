-- When `workspaces export` last wrote the file of a workspace (docs/operations.md, "Watching").
create table {{control}}.backups (
  workspace_id integer primary key references {{control}}.workspaces (id) on delete cascade,
  written_at timestamptz(3) not null
);
