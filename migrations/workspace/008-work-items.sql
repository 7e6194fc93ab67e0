-- Public ids for the work items of a workspace that is older than them; a new one has no tables yet.
do $$
declare
  prefix text;
begin
  if to_regclass('{{workspace}}.work_items') is null then
    return;
  end if;
  create temporary table prefixes on commit drop as
    select t.key as type, t.value ->> 'prefix' as prefix
    from (select document from {{workspace}}._definitions order by revision desc limit 1) d
    cross join json_each(d.document -> 'work_item_types') t;
  alter table {{workspace}}.work_items add column public_id text collate "C";
  for prefix in select p.prefix from prefixes p loop
    execute format('create sequence {{workspace}}.%I', '_public_id_' || prefix);
  end loop;
  update {{workspace}}.work_items w
  set public_id = n.prefix
    || '-' || nextval(format('{{workspace}}.%I', '_public_id_' || n.prefix)::regclass)
  from (
    select i.id, p.prefix from {{workspace}}.work_items i
    join prefixes p on p.type = i.work_item_type_id order by i.created_at, i.id
  ) n
  where n.id = w.id;
  alter table {{workspace}}.work_items alter column public_id set not null;
  create unique index "work_items.public_id.unique" on {{workspace}}.work_items (public_id);
end;
$$;
