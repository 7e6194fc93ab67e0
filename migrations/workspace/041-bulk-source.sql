-- Records that are changed by a job for many (docs/decisions.md, D286).
alter table {{workspace}}._audit drop constraint _audit_source_check;
alter table {{workspace}}._audit
  add constraint _audit_source_check check (source in ('api', 'import', 'cli', 'bulk'));
