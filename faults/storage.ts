// V12: every page agrees with its checksum and every index with its table, after a restart that empties the memory.
// pg_checksums and pg_amcheck run too where there are any of the same release.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.ts';
import type { Site } from './site.ts';

export interface StorageCheck {
  readonly violations: readonly string[];
  readonly notes: readonly string[];
}

type Store = Pick<Site, 'cluster' | 'connection' | 'rows'>;

/** The service must have ended: PostgreSQL is stopped and started again. */
export async function checkStorage(site: Store): Promise<StorageCheck> {
  const { cluster } = site;
  const violations: string[] = [];
  const missing: string[] = [];
  const ask = async (name: string, args: readonly string[]) => {
    const program = await matchingProgram(name, cluster);
    if (program === undefined) missing.push(name);
    else violations.push(...(await failureOf(program, args)));
  };
  if (cluster.runs()) cluster.signal('INT');
  await cluster.gone();
  await ask('pg_checksums', ['--check', '--pgdata', cluster.dataDirectory]);
  await cluster.start();
  const { host = '', port, user = '', database = '' } = site.connection;
  const place = ['--host', host, '--port', String(port), '--username', user];
  await ask('pg_amcheck', [...place, '--install-missing', '--heapallindexed', database]);
  for (const check of CHECKS) violations.push(...(await failureIn(site, check)));
  violations.push(...cluster.alarms().map((line) => `V12 ${line}`));
  const notes =
    missing.length === 0 ? [] : [`no ${missing.join(' and ')} of this release: asked by SQL`];
  return { violations, notes };
}

/** They report an error or a row with `message`. */
const CHECKS: readonly string[] = [
  'create extension if not exists amcheck',
  'create extension if not exists pg_prewarm',
  // The first time since the start that these pages are read: PostgreSQL checks each one's checksum.
  `select sum(pg_prewarm(c.oid::regclass, 'buffer', fork)) from pg_class c
    cross join unnest(array['main', 'fsm', 'vm']) fork
    where c.relkind in ('r', 'i', 't', 'm', 'S') and c.relpersistence = 'p'
      and pg_relation_size(c.oid::regclass, fork) > 0`,
  `select bt_index_check(c.oid, true) from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam where a.amname = 'btree' and c.relpersistence = 'p'
      and i.indisready and i.indisvalid`,
  `select h.msg as message from pg_class c cross join lateral verify_heapam(c.oid::regclass) h
    where c.relkind = 'r' and c.relpersistence = 'p' limit 1`,
  `select sum(checksum_failures) || ' pages with a wrong checksum' as message from pg_stat_database
    having sum(checksum_failures) > 0`,
  `select 'the cluster has no checksums' as message where current_setting('data_checksums') <> 'on'`,
];

async function failureIn(site: Store, check: string): Promise<readonly string[]> {
  try {
    const rows = await site.rows(check);
    return rows.flatMap(({ message }) => (message === undefined ? [] : [`V12 ${message}`]));
  } catch (error) {
    const { cause = error } = error as Error;
    return [`V12 ${(cause as Error).message}`];
  }
}

const execute = promisify(execFile);

/** Next to the server's own programs or where Debian has them; they refuse files of another release. */
export async function matchingProgram(
  name: string,
  { binaries }: Pick<Cluster, 'binaries'>,
): Promise<string | undefined> {
  const folders = [dirname(binaries.initdb), `/usr/lib/postgresql/${binaries.major}/bin`];
  for (const program of folders.map((folder) => join(folder, name))) {
    if (!existsSync(program)) continue;
    const { stdout } = await execute(program, ['--version']);
    if (new RegExp(`\\b${binaries.major}\\b`).test(stdout)) return program;
  }
  return undefined;
}

/** The output of a program that finds a fault; empty when it finds none. */
export async function failureOf(
  program: string,
  args: readonly string[],
): Promise<readonly string[]> {
  try {
    await execute(program, [...args], { maxBuffer: 2 ** 26 });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>;
    const said = `${stdout}${stderr}`.trim() || message;
    return [`V12 ${said.slice(0, 500)}`];
  }
}
