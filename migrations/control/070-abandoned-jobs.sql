-- How often the lease of a job ended under an attempt: its process has died, or was cut off from the database. A job
-- of which that is true twice is not tried again (docs/design/jobs.md, D380).
alter table {{control}}.jobs add column abandoned integer not null default 0;
