// The plan of a paste: made when the rows below it are loaded and the names in it are looked up, and again when the
// person chooses to append its rows, or to paste over those of the table.

import type { Field, RecordData } from '@workspace-records/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTextContext } from '../../fields/use-text-context.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { loadNamed } from './named-values.ts';
import type { PasteHostProps } from './paste-host.tsx';
import { type PlacedText, placeText, shownOnly } from './paste-place.ts';
import { type PastePlan, planPaste } from './paste-plan.ts';
import { usePasteRights } from './paste-target.ts';

interface PlanParts extends Omit<PasteHostProps, 'onClose'> {
  readonly isAppended: boolean;
}

const NONE: readonly RecordData[] = [];

export function usePastePlan(props: PlanParts, onFail: () => void) {
  const { object, columns, rows, paste, isAppended } = props;
  const session = useSession();
  const t = useT();
  const [plan, setPlan] = useState<PastePlan>();
  const [placed, setPlaced] = useState<PlacedText>();
  const contextOf = useTextContext();
  const rights = usePasteRights(object, props.where);
  const needed = paste.row + paste.cells.length;
  const isLoaded = isAppended || rows.count >= needed || !rows.hasMore;
  const fail = useEffectEvent((error: unknown) => {
    showToast({ text: problemText(error, t), isProblem: true });
    onFail();
  });
  useEffect(() => {
    if (isLoaded) return;
    if (rows.error === null) rows.show(rows.count, rows.count);
    else fail(rows.error);
  });
  const under = rows.records.slice(Math.max(0, paste.row - rows.first), needed - rows.first);
  const make = useEffectEvent(async () => {
    const from = columns.slice(paste.column);
    const text = paste.isInside
      ? { cells: paste.cells, columns: from, headings: 0 as const, unknown: [] }
      : placeText(paste.cells, object, from);
    const records = isAppended ? NONE : under.slice(0, text.cells.length);
    const placedText = isAppended ? text : shownOnly(text, columns);
    const cells = paste.isInside ? placedText.cells.slice(0, records.length) : placedText.cells;
    try {
      const namesByField = await loadNamed(session, fieldsIn(placedText), textsIn(placedText));
      const isNewestFirst = props.isNewestFirst;
      const target = { ...rights, ...placedText, records, isNewestFirst };
      setPlan(
        planPaste(cells, target, (field) => ({
          ...contextOf(field),
          named: namesByField.get(field.key) ?? new Map(),
        })),
      );
      setPlaced(placedText);
    } catch (error) {
      fail(error);
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another plan.
  useEffect(() => {
    if (isLoaded) void make();
  }, [isLoaded, isAppended]);
  return {
    plan,
    unknown: placed?.unknown ?? [],
    over: under[0],
    total: placed?.cells.length ?? paste.cells.length,
  };
}

function fieldsIn({ cells, columns }: PlacedText): readonly Field[] {
  const width = Math.max(0, ...cells.map((row) => row.length));
  return columns.slice(0, width).flatMap((column) => column?.field ?? []);
}

function textsIn({ cells, columns }: PlacedText) {
  return (field: Field) => {
    const at = columns.findIndex((column) => column?.field?.key === field.key);
    return cells.map((row) => row[at] ?? '');
  };
}
