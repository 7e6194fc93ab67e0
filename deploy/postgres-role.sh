#!/bin/sh
# Makes the role and the database of the service when compose.yaml starts PostgreSQL for the first time. The role owns its
# database and is no superuser: somebody who takes over the service cannot read files or run programs of the server.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --set "password=$RECORDS_PASSWORD" --dbname postgres <<'SQL'
create role records login nosuperuser nocreatedb nocreaterole password :'password';
create database records owner records encoding 'UTF8' template template0;
SQL
