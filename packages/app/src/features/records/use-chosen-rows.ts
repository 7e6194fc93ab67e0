// The rows that somebody has chosen, by the ids of their records. Another question to the service chooses none.

import type { RecordData } from '@workspace-records/client';
import { useCallback, useMemo, useRef, useState } from 'react';

export interface ChosenRows {
  readonly ids: ReadonlySet<string>;
  /** `isRange`: all rows since the last one that was chosen. */
  toggle(id: string, isRange?: boolean): void;
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
    () => setIds(new Set(known.current.records.map(({ id }) => id))),
    [],
  );
  const clear = useCallback(() => setIds(NONE), []);
  const drop = useCallback((gone: readonly string[]) => {
    setIds((old) => new Set([...old].filter((id) => !gone.includes(id))));
  }, []);
  return useMemo(
    () => ({ ids, toggle, chooseAll, clear, drop }),
    [ids, toggle, chooseAll, clear, drop],
  );
}

/** Both included; the second one alone where the first is not loaded any more. */
export function idsBetween(
  records: readonly Pick<RecordData, 'id'>[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const [one, other] = [from, to].map((id) => records.findIndex((record) => record.id === id));
  if (one === undefined || other === undefined || one < 0 || other < 0) return [to];
  return records.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);
}
