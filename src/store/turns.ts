// Who may use a database connection next. Requests of one key, or of one workspace, never hold all of
// them, those that wait are served by workspace and key in turn, and nobody waits in vain: who cannot be
// served in time is told so at once (D172). It knows no connection and no SQL.

import { unavailable } from '../errors.ts';
import { openTurnTimes } from './turn-times.ts';

/** On whose behalf a connection is used. */
export interface Holder {
  readonly workspace: number;
  readonly key: string;
}

export interface Turns {
  /** Undefined when the turn is there at once. Errors: `service_unavailable`. */
  take(holder: Holder): Promise<void> | undefined;
  /** Give back what was taken. */
  give(holder: Holder): void;
  /** How many hold a turn, and how many wait for one. */
  load(): { readonly held: number; readonly waiting: number };
}

export interface TurnOptions {
  /** Turns that may be held at once. */
  readonly size: number;
  /** So many may wait; those beyond are refused at once. */
  readonly most?: number;
  /** Milliseconds somebody waits at the very most: as long as a statement may take. */
  readonly patience?: number;
  /**
   * Whether the database works at what is asked on behalf of a workspace, or of all: false when all of
   * that only waits for locks. Asked when no turn has been given back for long.
   */
  readonly isServed?: (workspace: number | undefined) => Promise<boolean>;
}

const PATIENCE = 5000;
/** Milliseconds somebody waits while nothing moves; with the rest of the way a refusal comes within a second. */
const STILL = 900;
/** Milliseconds before that in which the database is asked, and between two looks at who waits longer. */
const ASKED_BEFORE = 300;
const LOOK_EVERY = 150;
const MOST_WAITING = 1000;

interface Waiter {
  readonly start: () => void;
  timer: NodeJS.Timeout;
}

/** How many turns are held, and when one was given back last. */
interface Held {
  held: number;
  movedAt: number;
}

interface Line extends Held {
  /** When those that are held began. */
  readonly began: number[];
  readonly waiting: Set<Waiter>;
}

interface Group extends Held {
  /** Those that are served next come first. */
  readonly lines: Map<string, Line>;
  /** What the database said last about its statements. */
  proof: Proof;
}

interface Proof {
  readonly at: number;
  readonly served: boolean;
  readonly asking: boolean;
}

const NONE: Proof = Object.freeze({ at: -Infinity, served: false, asking: false });

/** Turns for `size` connections. */
export function openTurns(options: TurnOptions): Turns {
  const { size, most = MOST_WAITING, patience = PATIENCE, isServed = async () => false } = options;
  // What one may hold: others find something left however slow its statements are.
  const ofWorkspace = Math.max(1, size - Math.ceil(size / 5));
  const ofKey = Math.max(1, ofWorkspace - Math.floor(size / 8));
  const groups = new Map<number, Group>();
  const times = openTurnTimes();
  const all = { held: 0, movedAt: performance.now(), proof: NONE };
  let waiting = 0;

  function lineOf({ workspace, key }: Holder): { readonly group: Group; readonly line: Line } {
    const now = performance.now();
    const group = groups.get(workspace) ?? { held: 0, movedAt: now, lines: new Map(), proof: NONE };
    const line = group.lines.get(key) ?? { held: 0, movedAt: now, began: [], waiting: new Set() };
    if (!group.lines.has(key)) group.lines.set(key, line);
    if (!groups.has(workspace)) groups.set(workspace, group);
    return { group, line };
  }

  function isFree(group: Group, line: Line): boolean {
    return all.held < size && group.held < ofWorkspace && line.held < ofKey;
  }

  function begin(group: Group, line: Line): void {
    for (const one of [all, group, line]) one.held += 1;
    line.began.push(times.begin());
  }

  function end(group: Group, line: Line): void {
    // Which of them it is makes no difference to their mean.
    const took = times.end(line.began.shift() as number);
    for (const one of [all, group, line]) {
      one.held -= 1;
      // That a statement was given up is no sign that the next will be served.
      if (took < patience) one.movedAt = performance.now();
    }
  }

  /** Forget whoever neither holds nor waits. */
  function tidy({ workspace, key }: Holder, group: Group, line: Line): void {
    if (line.held === 0 && line.waiting.size === 0) group.lines.delete(key);
    if (group.lines.size === 0) groups.delete(workspace);
  }

  /** Milliseconds until the next of this line has its turn, when lines are served in turn. */
  function expectedWait(line: Line): number {
    let ahead = 0;
    let lines = 0;
    for (const group of groups.values()) {
      lines += group.lines.size;
      for (const one of group.lines.values()) {
        ahead += Math.min(one.waiting.size, line.waiting.size + 1);
      }
    }
    return ((ahead + 1) * times.expected()) / Math.min(size, lines * ofKey);
  }

  /** What a waiter waits for: the turns of its key, of its workspace, or any. */
  function blockOf(group: Group, line: Line): Held & { readonly isOfAll: boolean } {
    if (line.held >= ofKey) return { ...line, isOfAll: false };
    return group.held >= ofWorkspace ? { ...group, isOfAll: false } : { ...all, isOfAll: true };
  }

  /** True when turns come free, or are held by what the database works at. */
  function isMoving({ workspace }: Holder, group: Group, line: Line): boolean {
    const now = performance.now();
    const { movedAt, isOfAll } = blockOf(group, line);
    if (now - movedAt < STILL - ASKED_BEFORE) return true;
    const place = isOfAll ? all : group;
    const { at, served, asking } = place.proof;
    if (!asking && now - at >= ASKED_BEFORE) {
      place.proof = { ...place.proof, asking: true };
      const answer = (said: boolean) => {
        place.proof = { at: performance.now(), served: said, asking: false };
      };
      isServed(isOfAll ? undefined : workspace).then(answer, () => answer(false));
    }
    return now - movedAt < STILL || (served && now - at < STILL);
  }

  function wait(holder: Holder, line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const look = () => {
        const { group } = lineOf(holder);
        const waited = performance.now() - since;
        const isPatient = waited < patience;
        // The first look comes early, for the database to have answered by the second.
        const mayWait = isMoving(holder, group, line) || waited < STILL;
        if (isPatient && mayWait) {
          const next = waited < STILL ? STILL - waited : LOOK_EVERY;
          waiter.timer = setTimeout(look, Math.min(next, patience - waited));
          return;
        }
        line.waiting.delete(waiter);
        waiting -= 1;
        tidy(holder, group, line);
        reject(unavailable(new Error('no database connection became free in time')));
      };
      const waiter: Waiter = {
        start: () => {
          clearTimeout(waiter.timer);
          resolve();
        },
        timer: setTimeout(look, Math.min(STILL - ASKED_BEFORE, patience)),
      };
      line.waiting.add(waiter);
      waiting += 1;
    });
  }

  /** The first that waits and may start; it and its workspace go to the end. */
  function serveNext(): boolean {
    for (const [workspace, group] of groups) {
      for (const [key, line] of group.lines) {
        const [waiter] = line.waiting;
        if (waiter === undefined || !isFree(group, line)) continue;
        line.waiting.delete(waiter);
        waiting -= 1;
        begin(group, line);
        group.lines.delete(key);
        group.lines.set(key, line);
        groups.delete(workspace);
        groups.set(workspace, group);
        waiter.start();
        return true;
      }
    }
    return false;
  }

  return {
    take(holder) {
      const { group, line } = lineOf(holder);
      // Nobody goes before those of the same key that wait already.
      if (line.waiting.size === 0 && isFree(group, line)) {
        begin(group, line);
        return undefined;
      }
      if (waiting >= most || expectedWait(line) > patience) {
        tidy(holder, group, line);
        throw unavailable(new Error('too many requests wait for the database'));
      }
      return wait(holder, line);
    },
    give(holder) {
      const { group, line } = lineOf(holder);
      end(group, line);
      tidy(holder, group, line);
      while (waiting > 0 && serveNext());
    },
    load: () => ({ held: all.held, waiting }),
  };
}
