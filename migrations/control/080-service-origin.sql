-- Where the service that started last listens, for commands that print addresses of the application.
create table {{control}}.service_origin (
  only_row boolean primary key default true check (only_row),
  origin text not null,
  noted_at timestamptz not null default now()
);
