// A world with some thousand records of one object, whose data another definition rebuilds, and the common part of
// its tests: a build that waits while others write, and requests that meet the change.

import { expect } from 'vitest';
import { openLease } from '../src/control/jobs/job-lease.ts';
import { findWorkspace, type WorkspaceRow } from '../src/control/workspace/workspaces.ts';
import { applyDefinition, type DefinitionPlan } from '../src/definitions/apply/apply-definition.ts';
import { APPLY_JOBS, runApplyJob } from '../src/definitions/apply/definition-job.ts';
import type { ApplyOptions } from '../src/definitions/apply/definition-plan.ts';
import { mergePatch } from '../src/model/definition/definition.ts';
import type { Database } from '../src/postgres/db.ts';
import { openDatabase } from '../src/postgres/open-server.ts';
import type { Answer, Client } from './client.ts';
import type { OwnDatabase } from './own-database.ts';
import { loadPresent, type Present, requireSearchRows } from './search-rows.ts';
import { until } from './until.ts';
import { ACME, openWorld, type World } from './world.ts';

/** Several pages of a build. */
export const RECORDS = 1700;
export const THINGS = '/objects/things/records';

export const START = mergePatch(ACME, {
  objects: {
    things: {
      ...{ name: 'Things', singular_name: 'Thing', display_field: 'name' },
      fields: { name: { type: 'text' }, code: { type: 'text' }, note: { type: 'text' } },
    },
  },
  roles: { rep: { objects: { things: { create: 'own', read: 'own', update: 'own' } } } },
});

export const thingsWith = (patch: object) => mergePatch(START, { objects: { things: patch } });

export interface Things {
  readonly world: World;
  /** An administrator without a limit of requests. */
  readonly ada: Client;
  /** As it was before any change of its definition. */
  readonly workspace: WorkspaceRow;
  present(): Promise<Present>;
  apply(document: unknown, options?: ApplyOptions): Promise<DefinitionPlan>;
  ids(where: string): Promise<readonly string[]>;
  /** Write this field of 20 records each, one after the other, until it is stopped. */
  keepWriting(writers: number, key: string): Writing;
  /** The next build waits after its first page; call it before the build begins. */
  holdBuild(): Promise<HeldBuild>;
  /** Request a definition and interrupt its job in the middle of the build; the id of the job. */
  leaveJob(document: unknown): Promise<string>;
  /** Do the rest of such a job. */
  resumeJob(id: string): Promise<void>;
}

export interface Writing {
  /** The number of writes to each record. */
  stop(): Promise<Map<string, number>>;
}

export interface HeldBuild {
  /** Run `work` when the build has written its first rows; it continues when the work is over. */
  within(work: () => Promise<void>): Promise<void>;
}

/** Number of the lock for which a build waits. */
const GATE = 1700;
/** The second page waits: the first one is there by then, and its rows are free. */
const holdingAt = (leftovers: string) => [
  `create function public.wait_at_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$`,
  `create trigger gate before update on ${leftovers} for each row
    when (old.build ->> 'after' is not null) execute function public.wait_at_gate()`,
];

export async function openThings(): Promise<Things> {
  const world = await openWorld();
  const { db, rows } = world.database;
  await world.apply(START);
  const ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
  const workspace = (await findWorkspace(db, 'acme')) as WorkspaceRow;
  await placeGate(world.database);
  await rows(
    `insert into ws_acme.things (id, created_by_user_id, owner_user_id, name, code, note)
      select gen_random_uuid(), case when n % 2 = 0 then $1 else $2 end::integer,
        case when n % 3 = 0 then $1 else $2 end::integer, 'Name ' || n, 'Code ' || n, 'Note ' || n
      from generate_series(1, ${RECORDS}) n`,
    [world.users.rob, world.users.sam],
  );
  const present = () => loadPresent(db, workspace.id, 'things');
  const ids = async (where: string) =>
    (await rows(`select id from ws_acme.things ${where}`)).map(({ id }) => String(id));
  // Makes the rows that writes would have made.
  await requireSearchRows(db, await present()).catch(() => undefined);
  return {
    ...{ world, ada, workspace, present },
    apply: (document, options = {}) => applyDefinition(db, 'acme', document, options),
    ids,
    keepWriting(writers, key) {
      const shares = Array.from({ length: writers }, (_, at) =>
        ids(`order by id offset ${at * 20} limit 20`),
      );
      return keepWriting(ada, shares, key);
    },
    holdBuild: () => holdBuild(world.database),
    leaveJob: (document) => leaveJob(world.database, ada, document),
    async resumeJob(id) {
      await rows(
        `update workspace_records.jobs set lease_until = now() - interval '1 second' where id = $1`,
        [id],
      );
      const { job, signal, report } = await leaseOf(db, id);
      await runApplyJob(db, job, signal, report);
    },
  };
}

function keepWriting(
  client: Client,
  shares: readonly Promise<readonly string[]>[],
  key: string,
): Writing {
  const written = new Map<string, number>();
  const state = { isOver: false };
  const writing = shares.map(async (share, at) => {
    const own = await share;
    for (let time = 0; !state.isOver; time += 1) {
      const id = own[time % own.length] as string;
      const fields = { [key]: `${at} ${time}` };
      const { status } = await sendAgain(() => client.patch(`${THINGS}/${id}`, { fields }));
      expect(status).toBe(200);
      written.set(id, (written.get(id) ?? 0) + 1);
    }
  });
  return {
    async stop() {
      state.isOver = true;
      await Promise.all(writing);
      return written;
    },
  };
}

async function leaveJob(own: OwnDatabase, ada: Client, document: unknown): Promise<string> {
  const { db } = own;
  const { body } = await ada.post('/definition/plan', { patch: document });
  const { plan_id, revision } = body.data;
  const sent = { patch: document, plan_id, background: true };
  const answer = await ada.post('/definition/apply', sent, { 'If-Match': `"${revision}"` });
  const { id } = answer.body.data.job;
  const lease = await leaseOf(db, id);
  const build = await holdBuild(own);
  const running = runApplyJob(db, lease.job, lease.signal, lease.report);
  await build.within(async () => lease.end('lost'));
  await expect(running).rejects.toThrow('lost');
  return id;
}

async function leaseOf(db: Database, id: string) {
  const lease = await openLease(db, { kinds: [APPLY_JOBS], id });
  if (lease === undefined) throw new Error('somebody else has the job');
  return lease;
}

/** The server that has the workspace. */
async function serverOf(own: OwnDatabase): Promise<Database> {
  const connection = await own.connectionNear('ws_acme');
  return openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
}

/** A cluster of Citus takes triggers at a shard only, on its server. */
async function placeGate(own: OwnDatabase): Promise<void> {
  const server = await serverOf(own);
  await server.transaction(async (tx) => {
    const ask = (text: string) => tx.query({ text, values: [] }, { prepare: false });
    if (own.hasPlaces) await ask('set local citus.enable_ddl_propagation to off');
    const shard = `select shard_name(logicalrelid, shardid) as name from pg_dist_shard
      where logicalrelid = 'ws_acme._leftovers'::regclass`;
    const [found] = own.hasPlaces ? await ask(shard) : [{ name: 'ws_acme._leftovers' }];
    for (const text of holdingAt(String(found?.name))) await ask(text);
  });
  await server.close();
}

async function holdBuild(own: OwnDatabase): Promise<HeldBuild> {
  const server = await serverOf(own);
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holding: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    holding = server.transaction(async (tx) => {
      await tx.query({ text: `select pg_advisory_xact_lock(${GATE})`, values: [] });
      resolve();
      await isOver;
    });
    holding.catch(reject);
  });
  return {
    async within(work) {
      const some = `select 1 from ws_acme._leftovers where build ->> 'after' is not null`;
      await until(async () => (await own.rows(some)).length > 0);
      await work().finally(release);
      await holding;
      await server.close();
    },
  };
}

/** A request that meets the change of the definition is refused without an effect: it is sent again (D99). */
export async function sendAgain(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}
