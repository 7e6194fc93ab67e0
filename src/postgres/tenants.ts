// A database whose connections tenants share: statements of a tenant wait in the fair queue for a connection, and are
// counted for the request they belong to. Each server has connections and a queue of its own.

import { isAnyWorking } from './busy-backends.ts';
import type { Account, Database, DatabaseOptions, QueryStats } from './db.ts';
import { type FairQueue, openFairQueue, type Slot, type Tenant } from './fair-queue.ts';

export interface Tenants {
  /**
   * The database for requests of this tenant. Streams of whole tables (`copying`) do not wait in the queue.
   * Statements are counted in `stats` too.
   */
  forTenant(tenant: Tenant, stats?: QueryStats): Database;
  /** The number of requests that hold or wait for a connection. */
  load(): ReturnType<FairQueue['load']>;
}

/** Statements that several principals of a workspace share have a share like that of one of them. */
const SEVERAL = 'several';

/** One statement or transaction that holds a connection, or is about to. */
interface Use {
  readonly workspace: number;
  pid: number | undefined;
}

/** The connections of one server. */
interface Share {
  readonly db: Database;
  readonly load: FairQueue['load'];
  /** Run `work` when the tenant may have a connection. */
  run<Result>(
    tenant: Tenant & Slot,
    work: (onBackend: (pid: number | undefined) => void) => Promise<Result>,
  ): Promise<Result>;
}

/** Shares the connections of `db`, which was opened with these options. */
export function openTenants(db: Database, options: DatabaseOptions): Tenants {
  const shares = new Map<Database, Share>();
  const shareOf = (server: Database) => {
    const share = shares.get(server) ?? openShare(server, options);
    shares.set(server, share);
    return share;
  };
  const main = shareOf(db);
  return {
    forTenant: (tenant, stats) => tenantOf({ share: main, shareOf }, tenant, stats),
    load() {
      const loads = [...shares.values()].map(({ load }) => load());
      const sum = (name: 'held' | 'waiting') => loads.reduce((all, load) => all + load[name], 0);
      return { held: sum('held'), waiting: sum('waiting') };
    },
  };
}

interface Shares {
  readonly share: Share;
  shareOf(server: Database): Share;
}

function tenantOf(shares: Shares, tenant: Tenant, stats: QueryStats | undefined): Database {
  const { db, run } = shares.share;
  const payerOf = (account: Account) =>
    account.isShared === true
      ? { ...tenant, principal: SEVERAL }
      : { ...tenant, isHeavy: account.isHeavy };
  const database: Database = {
    origin: db.origin,
    near(schema) {
      const server = db.near(schema);
      if (server === db) return database;
      return tenantOf({ ...shares, share: shares.shareOf(server) }, tenant, stats);
    },
    query(statement, options = {}) {
      const { prepare, signal, reads } = options;
      return run(payerOf(options), (onBackend) =>
        db.query(statement, { prepare, signal, reads, stats, onBackend }),
      );
    },
    transaction: (work, options = {}) =>
      run(payerOf(options), (onBackend) =>
        db.transaction(work, { writes: options.writes, stats, onBackend }),
      ),
    copying: db.copying,
    close: db.close,
  };
  return database;
}

function openShare(
  db: Database,
  { poolSize, statementTimeout, pooled = false }: DatabaseOptions,
): Share {
  const uses = new Set<Use>();
  /** Behind a pooler process ids are not those of the server: it is served when anything answers. */
  async function isServed(workspace: number | undefined): Promise<boolean> {
    const pids: number[] = [];
    for (const use of uses) {
      const isMeant = workspace === undefined || use.workspace === workspace;
      if (isMeant && use.pid !== undefined) pids.push(use.pid);
    }
    return (await isAnyWorking(db, pids)) || pooled;
  }
  // The service's own statements bypass the queue, and one connection is reserved for them.
  const queue = openFairQueue({
    size: Math.max(1, poolSize - 1),
    isServed,
    ...(statementTimeout > 0 ? { timeoutMs: statementTimeout } : {}),
  });

  const run: Share['run'] = async (tenant, work) => {
    const wait = queue.acquire(tenant);
    if (wait !== undefined) await wait;
    const use: Use = { workspace: tenant.workspace, pid: undefined };
    uses.add(use);
    try {
      return await work((pid) => {
        use.pid = pid;
      });
    } finally {
      uses.delete(use);
      queue.release(tenant);
    }
  };
  return { db, load: queue.load, run };
}
