-- The views that a person has among their favorites, beside the order that they have them in.
alter table {{workspace}}._view_orders add column favorite_view_ids uuid[] not null default '{}';
