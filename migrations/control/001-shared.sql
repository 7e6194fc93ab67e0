-- What all workspaces share: which there are, who may sign in, what is counted, which jobs run. And the functions
-- that statements about workspaces call.

-- The extension behind searches for parts of texts (docs/design/queries.md). It may be anywhere in the database. On a
-- server that lacks it or does not allow it, such searches read the whole table.
do $$
begin
  create extension if not exists pg_trgm with schema {{control}};
exception when others then
  raise warning 'pg_trgm is not available: %', sqlerrm;
end;
$$;

-- Workspaces and the keys to them.

create table {{control}}.workspaces (
  id integer generated always as identity primary key,
  slug text collate "C" not null unique,
  name text not null,
  schema_name text collate "C" not null unique,
  -- Revision of the definition document in force.
  revision integer not null default 0,
  -- Signs the cursors of this workspace.
  cursor_secret bytea not null,
  -- 'loading' until the first data of a demo is complete; a start that finds it continues the load.
  state text not null default 'ready' check (state in ('loading', 'ready')),
  -- False: its tables were made without pg_trgm. A service that finds pg_trgm later builds the indexes.
  has_text_indexes boolean not null default false,
  created_at timestamptz(3) not null default now()
);

create table {{control}}.api_keys (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  type text not null check (type in ('personal', 'operational')),
  name text not null,
  prefix text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  requests_per_minute integer,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- False: the key neither moves a record through a gate nor approves (docs/design/approvals.md).
  gates boolean not null default true
);

create index on {{control}}.api_keys (workspace_id);

-- Signing in (docs/decisions.md, D213): sessions of people, and what they prove who they are with. Secrets
-- are here as hashes only, and none of it is part of the file of a workspace.

create table {{control}}.sessions (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  -- SHA-256 of the 256 random bits of its cookie.
  token_hash bytea not null unique,
  method text not null check (method in ('password', 'link', 'oidc')),
  -- The moment of the sign-in: each one makes a session of its own.
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  -- However much it is used.
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- The person as whom an administrator views the workspace (docs/decisions.md, D536). It ends with the session.
  viewed_user_id integer,
  viewed_until timestamptz(3),
  -- The browser as it named itself at the sign-in, so that people recognise their sessions (D511). Empty: it did not say,
  -- or the session is older than this column.
  user_agent text not null default ''
);

create index on {{control}}.sessions (workspace_id, user_id);
-- For deleting what is over.
create index on {{control}}.sessions (last_used_at);

create table {{control}}.passwords (
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  hash bytea not null,
  salt bytea not null,
  -- Of scrypt: {"N", "r", "p"}.
  parameters jsonb not null,
  changed_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);

create table {{control}}.sign_in_links (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index on {{control}}.sign_in_links (workspace_id, user_id);

-- Who somebody is at an identity provider.
create table {{control}}.oidc_identities (
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, issuer, subject),
  unique (workspace_id, user_id, issuer)
);

-- Attempts to sign in that have failed or are not over, by account and by address, each as SHA-256.
create table {{control}}.sign_in_attempts (
  subject bytea primary key,
  -- The oldest first; at most as many as are allowed in a window.
  attempted_at timestamptz[] not null,
  -- Whether the last one came when there were too many.
  refused boolean not null default false
);

-- Where the service that started last listens, for commands that print addresses of the application.
create table {{control}}.service_origin (
  only_row boolean primary key default true check (only_row),
  origin text not null,
  noted_at timestamptz not null default now()
);

-- Counting requests.

-- One row for each API key or session: the count of the minute that `window_start` names. Losing it in a crash is
-- harmless.
create unlogged table {{control}}.rate_windows (
  principal_id uuid primary key,
  window_start timestamptz not null,
  requests bigint not null
);

-- When a key was used last, to the minute (docs/decisions.md, D229). Not a column of `api_keys`: each
-- change there makes all processes load again what they remember of the workspace.
create table {{control}}.key_uses (
  api_key_id uuid primary key,
  last_used_at timestamptz(0) not null
);

create function {{control}}.forget_key_use() returns trigger
language plpgsql as $$
begin
  delete from {{control}}.key_uses where api_key_id = old.id;
  return null;
end $$;

create trigger forget_key_use after delete on {{control}}.api_keys
  for each row execute function {{control}}.forget_key_use();

-- The first request of a window that is counted, which comes once a minute for each key over all processes.
create function {{control}}.note_key_use() returns trigger
language plpgsql as $$
begin
  insert into {{control}}.key_uses as use (api_key_id, last_used_at)
  select key.id, new.window_start from {{control}}.api_keys key where key.id = new.principal_id
  on conflict (api_key_id) do update set
    last_used_at = greatest(use.last_used_at, excluded.last_used_at);
  return null;
end $$;

create trigger note_first_use after insert on {{control}}.rate_windows
  for each row when (new.requests > 0)
  execute function {{control}}.note_key_use();

create trigger note_next_use after update on {{control}}.rate_windows
  for each row when (
    new.requests > 0 and (old.window_start < new.window_start or old.requests = 0))
  execute function {{control}}.note_key_use();

-- Which workspaces have changed in what processes remember of them: keys, people, their teams, the
-- definition in force (docs/decisions.md, D80). Triggers write it, in the transaction of the change.

-- One row a workspace: the last transaction that changed it. A process asks for the rows of those
-- transactions that its look before could not see yet. A sequence would not do: numbers are given
-- out in another order than transactions end.
create table {{control}}.changes (
  workspace_id integer primary key,
  transaction xid8 not null
);

create index on {{control}}.changes (transaction);

create function {{control}}.note_change(workspace integer) returns void
language sql
begin atomic
  insert into {{control}}.changes as noted (workspace_id, transaction)
  values (workspace, pg_current_xact_id())
  on conflict (workspace_id) do update set transaction = excluded.transaction
    where noted.transaction <> excluded.transaction;
end;

create function {{control}}.note_key_change() returns trigger
language plpgsql as $$
begin
  perform {{control}}.note_change(coalesce(new.workspace_id, old.workspace_id));
  return null;
end $$;

create function {{control}}.note_workspace_change() returns trigger
language plpgsql as $$
begin
  perform {{control}}.note_change(coalesce(new.id, old.id));
  return null;
end $$;

create trigger note_change after insert or update or delete on {{control}}.api_keys
  for each row execute function {{control}}.note_key_change();

create trigger note_change after insert or update or delete on {{control}}.workspaces
  for each row execute function {{control}}.note_workspace_change();

-- Using a session changes nothing that processes remember of it; its end does.
create trigger note_change
  after update of ended_at, expires_at, viewed_user_id, viewed_until on {{control}}.sessions
  for each row execute function {{control}}.note_key_change();

-- What a change of people leads to: whoever is deactivated has no session and no link any more, also when they are
-- activated again. It is a function of its own, because the tables of a shard of Citus have no triggers: who
-- changes people calls it there as well, and where there are triggers it finds nothing left to do. It reads the table of a
-- workspace by a statement of its own, which may be on another server.
create function {{control}}.note_people(schema text) returns void
language plpgsql as $$
declare
  workspace integer;
  signed_in integer[];
  present integer[];
begin
  select w.id into workspace from {{control}}.workspaces w where w.schema_name = schema;
  if workspace is null then
    return;
  end if;
  perform {{control}}.note_change(workspace);
  select array_agg(p.user_id) into signed_in from (
    select s.user_id from {{control}}.sessions s where s.workspace_id = workspace and s.ended_at is null
    union
    select l.user_id from {{control}}.sign_in_links l where l.workspace_id = workspace and l.used_at is null
  ) p;
  if signed_in is null then
    return;
  end if;
  execute format('select coalesce(array_agg(u.id), ''{}'') from %I._users u where u.id = any($1) and u.active',
    schema) into present using signed_in;
  update {{control}}.sessions s set ended_at = now()
    where s.workspace_id = workspace and s.user_id = any(signed_in) and s.user_id <> all(present)
      and s.ended_at is null;
  update {{control}}.sign_in_links l set used_at = now()
    where l.workspace_id = workspace and l.user_id = any(signed_in) and l.user_id <> all(present)
      and l.used_at is null;
end $$;

-- For the tables of people in the schema of a workspace.
create function {{control}}.note_people_change() returns trigger
language plpgsql as $$
begin
  if tg_table_name = '_users' and tg_op <> 'INSERT' then
    perform {{control}}.note_people(tg_table_schema);
  else
    perform {{control}}.note_change(w.id) from {{control}}.workspaces w where w.schema_name = tg_table_schema;
  end if;
  return null;
end $$;

-- Jobs.

-- Work that takes long and outlives the process that does it (docs/decisions.md, D195). Whoever has the
-- lease does it; a lease that is over can be taken by others. All times are those of the database.
create table {{control}}.jobs (
  id uuid primary key,
  -- Null: the job concerns all workspaces.
  workspace_id integer references {{control}}.workspaces (id) on delete cascade,
  kind text collate "C" not null,
  input jsonb not null default '{}',
  state text not null default 'queued'
    check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Counts, and what the next attempt needs to go on.
  progress jsonb not null default '{}',
  -- True: no other one of its kind and workspace may wait or run beside it.
  single boolean not null default false,
  -- How often it was claimed. Never set back: with the holder it tells who may still write here.
  attempts integer not null default 0,
  -- Attempts in a row that failed, or whose lease ended under them.
  failures integer not null default 0,
  -- How often the lease ended under an attempt: its process has died, or was cut off from the database. A job
  -- of which that is true twice is not tried again (docs/design/jobs.md, D380).
  abandoned integer not null default 0,
  -- Not rounded: rounded up, it would hide the job from who looks for it at once.
  run_after timestamptz not null default now(),
  lease_holder text,
  lease_until timestamptz(3),
  cancel_requested boolean not null default false,
  error text,
  -- Null: the service itself, or an operator.
  asked_by_user_id integer,
  created_at timestamptz(3) not null default now(),
  -- Of the last attempt.
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check ((state = 'running') = (lease_holder is not null and lease_until is not null)),
  check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null))
);

-- One of a kind runs in a workspace at a time. No workspace has the id 0.
create unique index jobs_running on {{control}}.jobs (coalesce(workspace_id, 0), kind)
  where state = 'running';
create unique index jobs_single on {{control}}.jobs (coalesce(workspace_id, 0), kind)
  where single and state in ('queued', 'running');
-- What a look for work reads; without work it is empty.
create index jobs_due on {{control}}.jobs (coalesce(workspace_id, 0), kind, run_after, id)
  where state in ('queued', 'running');
-- Whose turn was the longest ago.
create index jobs_started on {{control}}.jobs (coalesce(workspace_id, 0), started_at);
create index jobs_finished on {{control}}.jobs (finished_at) where finished_at is not null;
create index jobs_of_workspace on {{control}}.jobs (workspace_id, id);

-- Fails when another attempt has the job, or when whoever asked for it may no longer do this.
create function {{control}}.require_job(holds boolean) returns boolean
language plpgsql immutable as $$
begin
  if holds is not true then
    raise exception 'the job has ended for this process' using errcode = 'WR002';
  end if;
  return true;
end;
$$;

-- Imports, exports and changes of many records, which are jobs (docs/decisions.md, D248 to D252, D286).

-- A file that was sent for imports, or made by an export. It goes at `expires_at`.
create table {{control}}.files (
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  -- The export that has made it.
  job_id uuid references {{control}}.jobs (id) on delete cascade,
  name text not null,
  format text not null check (format in ('csv', 'tsv', 'jsonl')),
  bytes bigint not null default 0,
  -- False while an export writes it.
  is_complete boolean not null,
  -- Of an export: the rights by which it was made, on each object that its question was about.
  rights json,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '24 hours'
);

create index files_of_workspace on {{control}}.files (workspace_id);
create index files_of_job on {{control}}.files (job_id) where job_id is not null;
create index files_expired on {{control}}.files (expires_at);

create table {{control}}.file_pieces (
  file_id uuid not null references {{control}}.files (id) on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (file_id, number)
);

-- What an import has written: a row for each line, in the transaction that writes it. Who goes on after a crash
-- knows from it what is done.
create table {{control}}.import_lines (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  line integer not null,
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'skipped')),
  -- The record was there and has kept its status.
  status_kept boolean not null,
  -- Of a record that was written without some of its references, until these are written.
  open_id uuid,
  primary key (job_id, line)
);

-- Rows that were not imported: why, and as they stood in the file.
create table {{control}}.import_rejects (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  line integer not null,
  problems jsonb not null,
  texts jsonb not null,
  primary key (job_id, line)
);

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

-- The records that a change of many is still to change, in pages, and those that it could not. A page leaves in the
-- transaction that changes its records.
create table {{control}}.bulk_pages (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  number integer not null,
  ids uuid[] not null,
  primary key (job_id, number)
);

create table {{control}}.bulk_refusals (
  job_id uuid not null references {{control}}.jobs (id) on delete cascade,
  record_id uuid not null,
  field text not null,
  reason text not null,
  primary key (job_id, record_id)
);

-- Mails to be sent, and those sent in the last days (docs/design/mail.md). A row has neither the text nor an address:
-- both are made when the mail is sent.
create table {{control}}.mails (
  -- Its Message-ID is made of it.
  id uuid primary key,
  workspace_id integer not null references {{control}}.workspaces (id) on delete cascade,
  user_id integer not null,
  kind text not null check (kind in ('digest', 'invitation', 'sign_in_link')),
  -- Of a person who has not chosen one; null: English.
  language text,
  created_at timestamptz(3) not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'skipped', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- A short reason, without addresses and without text of the mail server.
  error text
);

-- A person has one waiting mail of each kind.
create unique index mails_waiting on {{control}}.mails (workspace_id, user_id, kind) where state = 'waiting';
create index mails_due on {{control}}.mails (next_attempt_at) where state = 'waiting';
create index mails_ended on {{control}}.mails (ended_at) where state <> 'waiting';

-- Workspaces that have webhooks, and the process that sends for each of them at present (docs/design/webhooks.md).
create table {{control}}.webhook_runners (
  workspace_id integer primary key references {{control}}.workspaces (id) on delete cascade,
  -- Null, or a time that is over: any process may take it.
  lease_holder text,
  lease_until timestamptz(3),
  -- When webhooks were last added or changed; the row goes when there are none and nobody has added one since.
  wanted_at timestamptz not null default clock_timestamp()
);

-- The keys that have sealed secrets (docs/design/secrets-at-rest.md, D463), so that a process without one of them notices
-- it at its start. Only their ids: the keys are outside of the database.
create table {{control}}.secrets_keys (
  key_id text primary key,
  noted_at timestamptz not null default now()
);

-- What ends a write.

-- Fails when another definition is in force than the one a write was judged by. That is said by a row in the schema of
-- the workspace (docs/decisions.md, D99): a write asks its own schema only, wherever that is.
create function {{control}}.require_in_force(holds boolean) returns boolean
language plpgsql immutable as $$
begin
  if holds is not true then
    raise exception 'the definition of the workspace has changed' using errcode = 'WR001';
  end if;
  return true;
end;
$$;

-- For a write that is sent in one statement on an assumption: what it takes for granted is checked by the statement
-- itself. Volatile, for it is none that could be done without: Citus adds a wrong condition to the inserts of a shard that
-- take rows from a select, unless something in them is volatile.
create function {{control}}.require_assumption(holds boolean) returns boolean
language plpgsql volatile as $$
begin
  if holds is not true then
    raise exception 'an assumption of the write does not hold' using errcode = 'WR002';
  end if;
  return true;
end;
$$;

-- Ends a write that would leave a tree of work items that is none (docs/decisions.md, D59); `place` is the operation
-- that is to blame.
create function {{control}}.refuse_tree(place integer, is_cycle boolean) returns void
language plpgsql volatile as $$
begin
  raise exception 'work items would form a cycle or a tree that is too deep'
    using errcode = 'WR003', detail = json_build_object('place', place, 'is_cycle', is_cycle);
end;
$$;

-- The next number of a prefix that no work item has: imports bring numbers of their own. Numbers of
-- writes that fail are lost; nobody waits for the end of another write to get one.
create function {{control}}.next_public_id(workspace text, prefix text) returns text
language plpgsql volatile strict as $$
declare
  sequence regclass := format('%I.%I', workspace, '_public_id_' || prefix);
  candidate text;
  taken boolean;
begin
  loop
    candidate := prefix || '-' || nextval(sequence);
    execute format('select exists (select from %I.work_items where public_id = $1)', workspace)
      into taken using candidate;
    exit when not taken;
  end loop;
  return candidate;
end;
$$;

-- How texts are compared, found and sorted.

-- Spellings one slip of the keyboard away (docs/decisions.md, D93): the word itself and every form
-- that lacks one of its characters. Two words that share such a form differ by one or two slips.
create function {{control}}.slips(word text) returns setof text
language sql immutable strict parallel safe rows 10
begin atomic
  select word
  union
  select substr(word, 1, place - 1) || substr(word, place + 1)
  from generate_series(1, length(word)) place;
end;

-- The form in which texts are compared without regard to case (docs/design/queries.md, D375): lower case over full
-- Unicode with the best collation of the server, in NFC, with one small sigma. Indexes are built on it, so it never
-- changes. It is not strict: a strict function with a CASE is never inlined. Citus makes the collations of a function
-- on its servers, and only a superuser may make those of ICU there. A collation that lowers one character at a time
-- gets a dotted capital I in parts, which is the same then whether it came as one character or as two. The class is of all
-- characters that NFC may change, also beside others; it is wider where that makes it shorter.
do $$
declare
  found text := (
    select c.collname from pg_catalog.pg_collation c
    where c.collnamespace = 'pg_catalog'::regnamespace
      and (c.collname = 'pg_unicode_fast' or c.collname = 'und-x-icu'
        and not exists (select from pg_catalog.pg_extension e where e.extname = 'citus'))
    order by c.collname limit 1
  );
  lowered text := case when found is null then 'lower(normalize($1, nfd) collate pg_catalog."default")'
    else format('lower($1 collate pg_catalog.%I)', found) end;
  changeable text := '[\u0300-\u036f\u0374\u037e\u0387\u0483-\u0489\u0591-\u1dff\u1f00-\u2001\u20d0-\u20ff'
    || '\u2126-\u212b\u2329-\u232a\u2adc\u2cef-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\uabff\ud7b0-\ud7ff'
    || '\uf900-\ufe2f\U00010000-\U0010ffff]';
begin
  execute format('create function {{control}}.folded(text) returns text
    language sql immutable parallel safe
    return case when octet_length($1) = length($1) then lower($1 collate "C")
      when $1 collate "C" ~ %L then replace(normalize(%s, nfc) collate "C", ''ς'', ''σ'')
      else replace(%s collate "C", ''ς'', ''σ'') end', changeable, lowered,
    case when found is null then 'normalize(' || lowered || ', nfc)' else lowered end);
end
$$;

-- Collations of this schema, by which sorts have texts in the order of a language (docs/design/queries.md, D377). They
-- are deterministic, as all of PostgreSQL are unless they say otherwise: texts of the same place are told apart by their
-- bytes. A server without ICU gets the order of code points under the same name.
create function {{control}}.make_collation(locale text) returns void
language plpgsql
as $$
begin
  if to_regcollation(format('{{control}}.%I', locale)) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('workspace-records collations', 0));
  if exists (select from pg_catalog.pg_collation where collprovider = 'i' and collnamespace = 'pg_catalog'::regnamespace) then
    execute format('create collation if not exists {{control}}.%I (provider = icu, locale = %L)', locale, locale);
  else
    execute format('create collation if not exists {{control}}.%I from pg_catalog."C"', locale);
  end if;
end
$$;

select {{control}}.make_collation('und-u-kn-true');

-- The moments of a server.

-- Which life of the database this is (docs/decisions.md, D170). After a crash PostgreSQL gives out
-- transaction numbers again that it had given out and shown before, so that they order what happened
-- only within one life. The table is unlogged: a recovery empties it, as it does on a standby that is
-- promoted and in a restored base backup, and a server that was stopped in order keeps it. Whoever finds
-- it empty fills it.
create unlogged table {{control}}.crash_epoch (
  -- The table itself: a row that came with a dump is of another life.
  home oid primary key,
  epoch uuid not null
);

-- The present moment of the server that runs it, and the beginning of a crash epoch there (docs/decisions.md, D170,
-- D333). Asked over a table of a workspace, that is the server which has the workspace: with Citus another one than
-- that of the control schema, where the table of epochs does not exist before the first epoch begins.
create function {{control}}.moment() returns text
language plpgsql stable as $$
declare
  epoch text;
begin
  if to_regclass('{{control}}.crash_epoch') is not null then
    select e.epoch::text into epoch from {{control}}.crash_epoch e where e.home = e.tableoid;
  end if;
  return pg_current_snapshot()::text || ':' || coalesce(epoch, '');
end;
$$;

-- The identity of the data of a server. It is another one after a restore from a dump or a base backup, and after a
-- standby was promoted: its transaction numbers, or its rows, are not those that readers know.
create function {{control}}.lineage() returns text
language sql stable
return (select system_identifier from pg_catalog.pg_control_system()) || '/'
  || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8);

-- The epochs of this server, also those that a crash has ended. With Citus each server has a table of its own, like
-- `crash_epoch`.
create table {{control}}.epochs (
  epoch uuid primary key,
  lineage text not null,
  began_at timestamptz not null default now()
);

-- Rows of changes exist from here on, also before the first process asks for a moment.
insert into {{control}}.epochs (epoch, lineage) values (gen_random_uuid(), {{control}}.lineage());

-- Begin an epoch where there is none, or in the place of the known one: its numbers have gone back, so that nothing from
-- before continues. Of concurrent statements one succeeds. Of those that make a table at the same time, some fail at the
-- name of its row type.
create function {{control}}.begin_epoch(known text) returns boolean
language plpgsql as $$
declare
  begun uuid;
begin
  if to_regclass('{{control}}.crash_epoch') is null or to_regclass('{{control}}.epochs') is null then
    begin
      create unlogged table if not exists {{control}}.crash_epoch (home oid primary key, epoch uuid not null);
      create table if not exists {{control}}.epochs (epoch uuid primary key, lineage text not null,
        began_at timestamptz not null default now());
      insert into {{control}}.epochs values (gen_random_uuid(), {{control}}.lineage(), '-infinity');
    exception when duplicate_table or duplicate_object or unique_violation then
      null; -- Another process has made it just now.
    end;
  end if;
  insert into {{control}}.crash_epoch as e (home, epoch)
    values ('{{control}}.crash_epoch'::regclass, gen_random_uuid())
    on conflict (home) do update set epoch = excluded.epoch where e.epoch::text = known
    returning e.epoch into begun;
  if begun is null then
    return false;
  end if;
  if known <> '' then
    delete from {{control}}.epochs;
  end if;
  insert into {{control}}.epochs (epoch, lineage) values (begun, {{control}}.lineage());
  return true;
end;
$$;

-- Whether positions of this epoch are valid now: it was an epoch of the same data.
create function {{control}}.continues(epoch text) returns boolean
language plpgsql stable as $$
begin
  return to_regclass('{{control}}.epochs') is not null and exists (
    select from {{control}}.epochs e where e.epoch::text = continues.epoch and e.lineage = {{control}}.lineage());
end;
$$;

-- The time from which changes are kept: so many days, but not from before this data was restored, whose rows have
-- transaction numbers of another server.
create function {{control}}.changes_kept_since(days integer) returns timestamptz
language plpgsql stable as $$
declare
  began timestamptz := '-infinity';
begin
  if to_regclass('{{control}}.epochs') is not null then
    select coalesce(min(e.began_at), '-infinity') into began
      from {{control}}.epochs e where e.lineage = {{control}}.lineage();
  end if;
  return greatest(began, now() - make_interval(days => days));
end;
$$;

-- With Citus.

-- The group of the node of Citus that runs it, which begins the ids that it gives out; null without Citus
-- (docs/decisions.md, D355).
create function {{control}}.node_group() returns integer
language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_local_group') is null then
    return null;
  end if;
  return (select groupid from pg_catalog.pg_dist_local_group);
end;
$$;

-- Before a transaction writes to the tables of a shard of Citus themselves: waits for who has closed the workspace to
-- writers (definitions/apply/lock-tables.ts), holds up a move of the shard until the transaction ends, waits for one that is under
-- way, and fails when the shard is not on this node (docs/decisions.md, D362). In PL/pgSQL, because each of its statements
-- sees what was committed before it started.
create function {{control}}.enter_shard(workspace text, shard bigint) returns void
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('workspace-records writers ' || workspace, 0));
  -- 5: ShareLock, which Citus takes for its own writes.
  perform pg_catalog.lock_shard_metadata(5, array[shard]),
    pg_catalog.set_config('citus.enable_manual_changes_to_shards', 'on', true);
  if not exists (select from pg_catalog.pg_dist_placement p
      join pg_catalog.pg_dist_local_group g on g.groupid = p.groupid where p.shardid = shard) then
    raise exception 'the shard % is not on this node', shard using errcode = 'WR003';
  end if;
end;
$$;

-- Waits for all of them and holds up those that come, until the transaction ends.
create function {{control}}.close_shard(workspace text) returns void
language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended('workspace-records writers ' || workspace, 0));
$$;
