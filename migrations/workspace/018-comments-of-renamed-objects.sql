-- Comments on the records of renamed objects get the key of their object; 1.0.0-rc.2 left them under the key of before.
do $$
declare
  renamed record;
begin
  for renamed in
    select d.applied_at, c.value ->> 'from' as old_key, substring(c.value ->> 'path' from '^objects\.(.*)$') as new_key
    from {{workspace}}._definitions d cross join lateral json_array_elements(d.changes) c
    where c.value ->> 'action' = 'rename' and c.value ->> 'path' ~ '^objects\.[^.]+$'
    order by d.revision
  loop
    update {{workspace}}._comments set object_type = renamed.new_key
    where object_type = renamed.old_key and created_at <= renamed.applied_at;
  end loop;
end $$;
