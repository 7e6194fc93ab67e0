-- Who applied a revision, through what, and what it changed (docs/decisions.md, D233). Of revisions that are
-- older than these columns nobody knows.
alter table {{workspace}}._definitions
  add column applied_by_user_id integer,
  add column source text,
  -- A list of {path, action, summary}; json and not jsonb: in the order of the plan.
  add column changes json;
alter table {{workspace}}._definitions
  add constraint _definitions_source_check check (source in ('api', 'import', 'cli'));
