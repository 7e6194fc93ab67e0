// Who may use a database connection next. Requests of one key, or of one workspace, never hold all of
// them, those that wait are served by workspace and key in turn, and nobody waits for long: a service
// that cannot answer soon says so at once. It knows no connection and no SQL.

import { unavailable } from '../errors.ts';

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
  /** Milliseconds somebody waits at the very most. */
  readonly patience?: number;
}

/** Longer than most answers take; with the rest of the way a refusal comes within a second. */
const PATIENCE = 900;
const MOST_WAITING = 1000;

interface Waiter {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

interface Line {
  held: number;
  readonly waiting: Set<Waiter>;
}

interface Group {
  held: number;
  /** Those that are served next come first. */
  readonly lines: Map<string, Line>;
}

/** Turns for `size` connections. */
export function openTurns(options: TurnOptions): Turns {
  const { size, most = MOST_WAITING, patience = PATIENCE } = options;
  // What one may hold: others find something left however slow its statements are.
  const ofWorkspace = Math.max(1, size - Math.ceil(size / 5));
  const ofKey = Math.max(1, ofWorkspace - Math.floor(size / 8));
  const groups = new Map<number, Group>();
  let held = 0;
  let waiting = 0;

  function lineOf({ workspace, key }: Holder): { readonly group: Group; readonly line: Line } {
    const group = groups.get(workspace) ?? { held: 0, lines: new Map<string, Line>() };
    const line = group.lines.get(key) ?? { held: 0, waiting: new Set<Waiter>() };
    if (!group.lines.has(key)) group.lines.set(key, line);
    if (!groups.has(workspace)) groups.set(workspace, group);
    return { group, line };
  }

  function isFree(group: Group, line: Line): boolean {
    return held < size && group.held < ofWorkspace && line.held < ofKey;
  }

  function count(group: Group, line: Line, change: 1 | -1): void {
    held += change;
    group.held += change;
    line.held += change;
  }

  /** Forget whoever neither holds nor waits. */
  function tidy({ workspace, key }: Holder, group: Group, line: Line): void {
    if (line.held === 0 && line.waiting.size === 0) group.lines.delete(key);
    if (group.lines.size === 0) groups.delete(workspace);
  }

  function wait(holder: Holder, line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          clearTimeout(waiter.timer);
          resolve();
        },
        timer: setTimeout(() => {
          line.waiting.delete(waiter);
          waiting -= 1;
          const { group } = lineOf(holder);
          tidy(holder, group, line);
          reject(unavailable(new Error('no database connection became free in time')));
        }, patience),
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
        count(group, line, 1);
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
        count(group, line, 1);
        return undefined;
      }
      if (waiting >= most) {
        tidy(holder, group, line);
        throw unavailable(new Error('too many requests wait for the database'));
      }
      return wait(holder, line);
    },
    give(holder) {
      const { group, line } = lineOf(holder);
      count(group, line, -1);
      tidy(holder, group, line);
      while (waiting > 0 && serveNext());
    },
    load: () => ({ held, waiting }),
  };
}
