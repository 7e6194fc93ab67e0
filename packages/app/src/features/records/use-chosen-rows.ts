// The rows that somebody has chosen, by the ids of their records. Another question to the service chooses none.

import type { RecordData } from '@workspace-records/client';
import { useCallback, useMemo, useRef, useState } from 'react';

export interface ChosenRows {
  readonly ids: ReadonlySet<string>;
  /** The chosen part of the loaded rows. */
  readonly ofLoaded: 'all' | 'some' | 'none';
  /** The number of them that are not among the loaded rows: another order has loaded others. */
  readonly elsewhere: number;
  /** All records that the list matches, also those that are not loaded; then `ids` says nothing. */
  readonly isMatching: boolean;
  /** `isRange`: all rows since the last one that was chosen. */
  toggle(id: string, isRange?: boolean): void;
  /** The loaded rows, in addition to those that are chosen already. */
  chooseAll(): void;
  /** All records that match, until the question or the choice is another one. */
  chooseMatching(): void;
  clear(): void;
  /** Removes deleted records from the choice. */
  drop(ids: readonly string[]): void;
}

const NONE: ReadonlySet<string> = new Set();

export function useChosenRows(records: readonly RecordData[], question: string): ChosenRows {
  const [ids, setIds] = useState(NONE);
  const [isMatching, setMatching] = useState(false);
  const [asked, setAsked] = useState(question);
  if (asked !== question) {
    setAsked(question);
    setIds(NONE);
    setMatching(false);
  }
  const latest = useRef({ records, isMatching, last: undefined as string | undefined });
  Object.assign(latest.current, { records, isMatching });
  const toggle = useCallback((id: string, isRange = false) => {
    const { last } = latest.current;
    const between = isRange ? idsBetween(latest.current.records, last, id) : [id];
    latest.current.last = id;
    // Excluding one of all matching rows leaves the loaded ones chosen.
    const all = latest.current.isMatching ? latest.current.records.map((one) => one.id) : undefined;
    setMatching(false);
    setIds((old) => {
      const now = all === undefined ? old : new Set(all);
      const isOn = isRange || !now.has(id);
      const next = new Set(now);
      for (const one of between) {
        if (isOn) next.add(one);
        else next.delete(one);
      }
      return next;
    });
  }, []);
  const chooseAll = useCallback(
    () => setIds((old) => new Set([...old, ...latest.current.records.map(({ id }) => id)])),
    [],
  );
  const chooseMatching = useCallback(() => setMatching(true), []);
  const clear = useCallback(() => {
    setIds(NONE);
    setMatching(false);
  }, []);
  const drop = useCallback((gone: readonly string[]) => {
    setIds((old) => new Set([...old].filter((id) => !gone.includes(id))));
  }, []);
  const acts = useMemo(
    () => ({ toggle, chooseAll, chooseMatching, clear, drop }),
    [toggle, chooseAll, chooseMatching, clear, drop],
  );
  return useMemo(() => {
    const place = placeOfChosen(ids, records);
    const all = isMatching ? { ofLoaded: 'all' as const, elsewhere: 0 } : {};
    return { ids, isMatching, ...place, ...all, ...acts };
  }, [ids, isMatching, records, acts]);
}

/** Compares the chosen ids with the loaded records: after another sort order other rows are loaded. */
export function placeOfChosen(
  ids: ReadonlySet<string>,
  records: readonly Pick<RecordData, 'id'>[],
): Pick<ChosenRows, 'ofLoaded' | 'elsewhere'> {
  const loaded = records.filter(({ id }) => ids.has(id)).length;
  const isAll = loaded > 0 && loaded === records.length;
  return {
    ofLoaded: isAll ? 'all' : ids.size > 0 ? 'some' : 'none',
    elsewhere: ids.size - loaded,
  };
}

/** Both included; the second one alone where the first is no longer loaded. */
export function idsBetween(
  records: readonly Pick<RecordData, 'id'>[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const [one, other] = [from, to].map((id) => records.findIndex((record) => record.id === id));
  if (one === undefined || other === undefined || one < 0 || other < 0) return [to];
  return records.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);
}
