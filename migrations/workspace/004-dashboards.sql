-- Reports are shown as charts, and several of them on one page (docs/design/reports.md).

-- How a report is drawn; null: the client chooses.
alter table {{workspace}}._views add column chart text;
alter table {{workspace}}._views add constraint _views_chart_check
  check (chart in ('table', 'bars', 'lines', 'funnel', 'number'));

create table {{workspace}}._dashboards (
  id uuid primary key,
  owner_user_id integer not null references {{workspace}}._users (id),
  name text collate "C" not null,
  shared text not null check (shared in ('private', 'team', 'workspace')),
  -- Reports in their order, each with its width; a deleted one stays until somebody removes it.
  tiles json not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index on {{workspace}}._dashboards (owner_user_id);
