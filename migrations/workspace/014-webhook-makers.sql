-- Who has made a webhook or last changed what it asks for (docs/design/webhooks.md); null: its owner. Webhooks of before
-- have the person of their last such row in the audit.
alter table {{workspace}}._webhooks add column maker_user_id integer;

update {{workspace}}._webhooks w set maker_user_id = made.user_id
  from (
    select distinct on (subject_id) subject_id, user_id from {{workspace}}._audit
    where subject_type = 'webhook' and action in ('create', 'update') and changed_fields <> '{state}'
    order by subject_id, at desc, id desc
  ) made
  where made.subject_id = w.id::text;
