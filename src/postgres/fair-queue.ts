// The fair queue for database connections. Requests of one principal, or of one workspace, never hold all
// connections; those that wait are served round-robin by workspace and principal; a request that cannot be served in
// time is refused early (D172). It uses no connection and no SQL.

import { unavailable } from '../errors.ts';
import { openSlotTimes, type SlotTimes } from './slot-times.ts';

/** The workspace and principal that a connection is used for. */
export interface Tenant {
  readonly workspace: number;
  /** Name of the principal, such as `key 0192…`. */
  readonly principal: string;
}

/** The use of a slot. */
export interface Slot {
  /** Counts as all slots of its principal but one, because the process works at its rows for long (D641). */
  readonly isHeavy?: boolean | undefined;
}

export interface FairQueue {
  /** Undefined when a slot is free at once. Errors: `service_unavailable`. */
  acquire(tenant: Tenant & Slot): Promise<void> | undefined;
  /** Give back a slot that was acquired with the same arguments. */
  release(tenant: Tenant & Slot): void;
  /** The number of slots that are held, and of requests that wait for one. */
  load(): { readonly held: number; readonly waiting: number };
}

export interface FairQueueOptions {
  /** Slots that may be held at once. */
  readonly size: number;
  /** Requests that may wait; those beyond are refused at once. */
  readonly maxWaiting?: number;
  /** Milliseconds a request waits at most: as long as a statement may take. */
  readonly timeoutMs?: number;
  /**
   * Whether PostgreSQL executes statements of a workspace, or of any when it is undefined: false when all of them
   * only wait for locks. Called when no slot has been released for a while.
   */
  readonly isServed?: (workspace: number | undefined) => Promise<boolean>;
}

const TIMEOUT_MS = 5000;
const MAX_WAITING = 1000;
/** Milliseconds a request waits while no slot is released; with the rest of its way it is refused within a second. */
const STALLED_MS = 900;
/** Milliseconds before that at which PostgreSQL is queried, and between two checks of a longer wait. */
const PROBE_LEAD_MS = 300;
const CHECK_INTERVAL_MS = 150;

interface Waiter {
  /** Slots that it counts as, of those of its principal. */
  readonly weight: number;
  readonly start: () => void;
  timer: NodeJS.Timeout;
}

/** The number of slots that are held, and the time of the last release. */
interface HeldSlots {
  held: number;
  releasedAt: number;
}

interface PrincipalQueue extends HeldSlots {
  /** When the slots that are held were acquired. */
  readonly began: number[];
  readonly waiting: Set<Waiter>;
}

interface WorkspaceQueue extends HeldSlots {
  /** The queues of principals, in the order in which they are served. */
  readonly principals: Map<string, PrincipalQueue>;
  probe: Probe;
}

/** The last answer of PostgreSQL about the statements that hold the slots. */
interface Probe {
  readonly at: number;
  readonly served: boolean;
  readonly pending: boolean;
}

const NOT_PROBED: Probe = Object.freeze({ at: -Infinity, served: false, pending: false });

interface State extends Required<FairQueueOptions> {
  /** Slots that one workspace, and one principal, may hold. */
  readonly maxOfWorkspace: number;
  readonly maxOfPrincipal: number;
  /** The queues of workspaces, in the order in which they are served. */
  readonly workspaces: Map<number, WorkspaceQueue>;
  readonly times: SlotTimes;
  readonly all: HeldSlots & { probe: Probe };
  waiting: number;
}

/** The queues that a request of a tenant belongs to. */
interface Queues {
  readonly workspace: WorkspaceQueue;
  readonly principal: PrincipalQueue;
}

/** A fair queue for `size` connections. */
export function openFairQueue(options: FairQueueOptions): FairQueue {
  const state = openState(options);
  return {
    acquire(tenant) {
      const queues = queuesOf(state, tenant);
      const weight = weightOf(state, tenant);
      // A request never overtakes those of the same principal that wait already.
      if (queues.principal.waiting.size === 0 && isFree(state, queues, weight)) {
        begin(state, queues, weight);
        return undefined;
      }
      if (state.waiting >= state.maxWaiting || expectedWait(state, queues) > state.timeoutMs) {
        forgetIfIdle(state, tenant, queues);
        throw unavailable(new Error('too many requests wait for the database'));
      }
      return wait(state, tenant, weight);
    },
    release(tenant) {
      const queues = queuesOf(state, tenant);
      end(state, queues, weightOf(state, tenant));
      forgetIfIdle(state, tenant, queues);
      while (state.waiting > 0 && serveNext(state));
    },
    load: () => ({ held: state.all.held, waiting: state.waiting }),
  };
}

function openState({
  size,
  maxWaiting = MAX_WAITING,
  timeoutMs = TIMEOUT_MS,
  isServed = async () => false,
}: FairQueueOptions): State {
  // Other tenants find a free slot however slow the statements of one tenant are.
  const maxOfWorkspace = Math.max(1, size - Math.ceil(size / 5));
  const maxOfPrincipal = Math.max(1, maxOfWorkspace - Math.floor(size / 8));
  return {
    size,
    maxWaiting,
    timeoutMs,
    isServed,
    maxOfWorkspace,
    maxOfPrincipal,
    workspaces: new Map(),
    times: openSlotTimes(),
    all: { held: 0, releasedAt: performance.now(), probe: NOT_PROBED },
    waiting: 0,
  };
}

function queuesOf({ workspaces }: State, tenant: Tenant): Queues {
  const releasedAt = performance.now();
  const known = workspaces.get(tenant.workspace);
  const workspace = known ?? { held: 0, releasedAt, principals: new Map(), probe: NOT_PROBED };
  if (known === undefined) workspaces.set(tenant.workspace, workspace);
  const queue = workspace.principals.get(tenant.principal);
  const principal = queue ?? { held: 0, releasedAt, began: [], waiting: new Set() };
  if (queue === undefined) workspace.principals.set(tenant.principal, principal);
  return { workspace, principal };
}

function weightOf({ maxOfPrincipal }: State, { isHeavy = false }: Slot): number {
  return isHeavy ? Math.max(1, maxOfPrincipal - 1) : 1;
}

function isFree(
  { size, maxOfWorkspace, maxOfPrincipal, all }: State,
  { workspace, principal }: Queues,
  weight: number,
): boolean {
  const isWithinShare = principal.held + weight <= maxOfPrincipal;
  return all.held < size && workspace.held < maxOfWorkspace && isWithinShare;
}

function begin({ all, times }: State, { workspace, principal }: Queues, weight: number): void {
  for (const one of [all, workspace]) one.held += 1;
  principal.held += weight;
  principal.began.push(times.begin());
}

function end(
  { all, times, timeoutMs }: State,
  { workspace, principal }: Queues,
  weight: number,
): void {
  // The mean of a principal's slots does not depend on which of them is released.
  const took = times.end(principal.began.shift() as number);
  principal.held -= weight - 1;
  for (const one of [all, workspace, principal]) {
    one.held -= 1;
    // A statement that ran into its timeout does not show that the next one will be executed.
    if (took < timeoutMs) one.releasedAt = performance.now();
  }
}

/** Drop the queues of a tenant that neither holds a slot nor waits for one. */
function forgetIfIdle(
  { workspaces }: State,
  tenant: Tenant,
  { workspace, principal }: Queues,
): void {
  if (principal.held === 0 && principal.waiting.size === 0) {
    workspace.principals.delete(tenant.principal);
  }
  if (workspace.principals.size === 0) workspaces.delete(tenant.workspace);
}

/** Milliseconds until the next request of this principal is served, in round-robin order. */
function expectedWait(
  { workspaces, times, size, maxOfPrincipal }: State,
  { principal }: Queues,
): number {
  let ahead = 0;
  let queues = 0;
  for (const { principals } of workspaces.values()) {
    queues += principals.size;
    for (const { waiting } of principals.values()) {
      ahead += Math.min(waiting.size, principal.waiting.size + 1);
    }
  }
  return ((ahead + 1) * times.expected()) / Math.min(size, queues * maxOfPrincipal);
}

function wait(state: State, tenant: Tenant, weight: number): Promise<void> {
  const { principal } = queuesOf(state, tenant);
  return new Promise((resolve, reject) => {
    const since = performance.now();
    const check = () => {
      const waited = performance.now() - since;
      // The first check comes early, so that PostgreSQL has answered by the second.
      const isProgressing = isMoving(state, tenant, weight) || waited < STALLED_MS;
      if (waited < state.timeoutMs && isProgressing) {
        const next = waited < STALLED_MS ? STALLED_MS - waited : CHECK_INTERVAL_MS;
        waiter.timer = setTimeout(check, Math.min(next, state.timeoutMs - waited));
        return;
      }
      leave(state, tenant, waiter);
      reject(unavailable(new Error('no database connection became free in time')));
    };
    const waiter: Waiter = {
      weight,
      start: () => {
        clearTimeout(waiter.timer);
        resolve();
      },
      timer: setTimeout(check, Math.min(STALLED_MS - PROBE_LEAD_MS, state.timeoutMs)),
    };
    principal.waiting.add(waiter);
    state.waiting += 1;
  });
}

function leave(state: State, tenant: Tenant, waiter: Waiter): void {
  const queues = queuesOf(state, tenant);
  queues.principal.waiting.delete(waiter);
  state.waiting -= 1;
  forgetIfIdle(state, tenant, queues);
}

/** True when slots are released, or are held by statements that PostgreSQL executes. */
function isMoving(state: State, tenant: Tenant, weight: number): boolean {
  const now = performance.now();
  const queues = queuesOf(state, tenant);
  const blocking = blockingQueue(state, queues, weight);
  if (now - blocking.releasedAt < STALLED_MS - PROBE_LEAD_MS) return true;
  const isOfAll = blocking === state.all;
  const probed = isOfAll ? state.all : queues.workspace;
  const { at, served, pending } = probed.probe;
  if (!pending && now - at >= PROBE_LEAD_MS) {
    probed.probe = { ...probed.probe, pending: true };
    const note = (answer: boolean) => {
      probed.probe = { at: performance.now(), served: answer, pending: false };
    };
    state.isServed(isOfAll ? undefined : tenant.workspace).then(note, () => note(false));
  }
  return now - blocking.releasedAt < STALLED_MS || (served && now - at < STALLED_MS);
}

/** Whose slots a request waits for: those of its principal, of its workspace, or any. */
function blockingQueue(
  { maxOfPrincipal, maxOfWorkspace, all }: State,
  { workspace, principal }: Queues,
  weight: number,
): HeldSlots {
  if (principal.held + weight > maxOfPrincipal) return principal;
  return workspace.held >= maxOfWorkspace ? workspace : all;
}

/** Start the first request that may have a slot; its principal and workspace go to the end. */
function serveNext(state: State): boolean {
  const { workspaces } = state;
  for (const [id, workspace] of workspaces) {
    for (const [name, principal] of workspace.principals) {
      const [waiter] = principal.waiting;
      if (waiter === undefined || !isFree(state, { workspace, principal }, waiter.weight)) continue;
      principal.waiting.delete(waiter);
      state.waiting -= 1;
      begin(state, { workspace, principal }, waiter.weight);
      workspace.principals.delete(name);
      workspace.principals.set(name, principal);
      workspaces.delete(id);
      workspaces.set(id, workspace);
      waiter.start();
      return true;
    }
  }
  return false;
}
