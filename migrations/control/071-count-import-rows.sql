-- Whoever ends an import before its last row, the job or a request: its counts are those of the rows. A function that
-- begins after the lock of the job was waited for sees what the last transaction of the attempt has written.
create function {{control}}.count_import_rows() returns trigger
language plpgsql as $$
begin
  select new.progress || jsonb_build_object(
      'created', count(*) filter (where l.outcome = 'created'),
      'updated', count(*) filter (where l.outcome = 'updated'),
      'unchanged', count(*) filter (where l.outcome = 'unchanged'),
      'skipped', count(*) filter (where l.outcome = 'skipped'),
      'status_kept', count(*) filter (where l.status_kept),
      'rejected', r.rejected,
      'done', r.rejected + count(l.line))
    into new.progress
    from (select count(*) as rejected from {{control}}.import_rejects where job_id = new.id) r
      left join {{control}}.import_lines l on l.job_id = new.id
    group by r.rejected;
  return new;
end;
$$;

create trigger count_import_rows before update of state on {{control}}.jobs for each row
when (new.kind = 'import' and new.state in ('failed', 'cancelled')
  and old.state in ('queued', 'running') and new.progress ? 'done'
  and not (new.input ->> 'dry_run')::boolean)
execute function {{control}}.count_import_rows();
