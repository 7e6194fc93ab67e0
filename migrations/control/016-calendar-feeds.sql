-- Calendar feeds (docs/design/calendar-feeds.md). A feed is a key with the id of the view that it reads.
alter table {{control}}.api_keys add column view_id uuid;
