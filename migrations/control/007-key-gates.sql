-- False: the key neither moves a record through a gate nor approves (docs/design/approvals.md). Keys that are there
-- keep what they could do.
alter table {{control}}.api_keys add column gates boolean not null default true;
