-- The audit also has what is done beside records: sign-ins, keys, people, roles, definitions, jobs
-- (docs/decisions.md, D259). Such a row names a subject instead of an object type and a record.
alter table {{workspace}}._audit
  -- Null: the operator, by a command, or a sign-in of nobody known.
  alter column user_id drop not null,
  alter column object_type drop not null,
  alter column record_id drop not null,
  add column session_id uuid,
  add column subject_type text collate "C",
  add column subject_id text collate "C";
alter table {{workspace}}._audit drop constraint _audit_source_check;
alter table {{workspace}}._audit
  add constraint _audit_source_check check (source in ('api', 'import', 'cli'));
alter table {{workspace}}._audit
  add constraint _audit_subject_check check (
    (object_type is null) = (record_id is null) and (object_type is null) = (subject_type is not null)
  );
