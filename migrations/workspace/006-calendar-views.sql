-- Views of lists that are shown as calendars (docs/design/reports.md).
alter table {{workspace}}._views drop constraint _views_kind_check;
alter table {{workspace}}._views add constraint _views_kind_check
  check (kind in ('table', 'board', 'calendar', 'report'));
