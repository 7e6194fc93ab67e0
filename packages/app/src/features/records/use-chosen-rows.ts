// The rows that somebody has chosen, by the ids of their records. Another question to the service chooses none.

import type { RecordData } from '@workspace-records/client';
import { useCallback, useMemo, useRef, useState } from 'react';

export interface ChosenRows {
  readonly ids: ReadonlySet<string>;
  /** How many of the loaded rows are among them. */
  readonly ofLoaded: 'all' | 'some' | 'none';
  /** The number of them that are not among the loaded rows: another order has loaded others. */
  readonly elsewhere: number;
  /** `isRange`: all rows since the last one that was chosen. */
  toggle(id: string, isRange?: boolean): void;
  /** The loaded rows, in addition to those that are chosen already. */
  chooseAll(): void;
  clear(): void;
  /** They are gone. */
  drop(ids: readonly string[]): void;
}

const NONE: ReadonlySet<string> = new Set();

export function useChosenRows(records: readonly RecordData[], question: string): ChosenRows {
  const [ids, setIds] = useState(NONE);
  const [asked, setAsked] = useState(question);
  if (asked !== question) {
    setAsked(question);
    setIds(NONE);
  }
  const known = useRef({ records, last: undefined as string | undefined });
  known.current.records = records;
  const toggle = useCallback((id: string, isRange = false) => {
    const { last } = known.current;
    const between = isRange ? idsBetween(known.current.records, last, id) : [id];
    known.current.last = id;
    setIds((old) => {
      const isOn = isRange || !old.has(id);
      const next = new Set(old);
      for (const one of between) {
        if (isOn) next.add(one);
        else next.delete(one);
      }
      return next;
    });
  }, []);
  const chooseAll = useCallback(
    () => setIds((old) => new Set([...old, ...known.current.records.map(({ id }) => id)])),
    [],
  );
  const clear = useCallback(() => setIds(NONE), []);
  const drop = useCallback((gone: readonly string[]) => {
    setIds((old) => new Set([...old].filter((id) => !gone.includes(id))));
  }, []);
  return useMemo(
    () => ({ ids, ...placeOfChosen(ids, records), toggle, chooseAll, clear, drop }),
    [ids, records, toggle, chooseAll, clear, drop],
  );
}

/** By their ids, not by their number: after another order the rows that are loaded are others. */
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
