// A paste: its rows are loaded, names in the text are looked up, and a plain paste is done at once. Where records
// would be new, or there are problems, the person confirms it first.

import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import { useSession } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import type { GridColumn } from './grid-columns.ts';
import { loadNamed } from './named-values.ts';
import { type PastePlan, planPaste } from './paste-plan.ts';
import { type Paste, useTextContext } from './use-clipboard.ts';
import { useWriteMany } from './write-many.ts';

/** One batch: it is done before a dialog could be read. */
const AT_ONCE = 100;

const PasteDialog = later(() => import('./paste-dialog.tsx'));

interface PasteHostProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  readonly rows: RecordRows;
  readonly paste: Paste;
  readonly onClose: () => void;
}

export function PasteHost({ onClose, ...props }: PasteHostProps) {
  const t = useT();
  const { plan, records } = usePlan(props, onClose);
  const writing = usePasteWrite(props, onClose);
  const isPlain = plan !== undefined && isPlainPlan(plan);
  const begin = useEffectEvent((plain: PastePlan) => void writing.write(plain));
  const tell = useEffectEvent(({ problems: [first], leftOut: [closed] }: PastePlan) => {
    if (first !== undefined) showToast({ text: `${first.column} ${t(first.problem)}` });
    else if (closed !== undefined) showToast({ text: `${closed} ${t('grid.notEditable')}` });
    onClose();
  });
  const { isEmptying } = props.paste;
  useEffect(() => {
    if (isPlain && plan !== undefined) begin(plan);
    else if (isEmptying && plan !== undefined) tell(plan);
  }, [isPlain, isEmptying, plan]);
  const isShort = isPlain && plan.writes.length <= AT_ONCE && writing.outcome === undefined;
  const isReportedElsewhere = isEmptying && plan !== undefined && !isPlain;
  if (plan === undefined || isShort || isReportedElsewhere) return null;
  return (
    <PasteDialog
      {...{ plan, records, onClose }}
      object={props.object}
      total={props.paste.cells.length}
      isEmptying={isEmptying}
      done={writing.done}
      outcome={writing.outcome}
      onWrite={() => void writing.write(plan)}
    />
  );
}

/** It is done at once: no record is new, and there is no message before. */
function isPlainPlan({ problems, leftOut, created }: PastePlan): boolean {
  return problems.length === 0 && leftOut.length === 0 && created === 0;
}

function usePlan(props: Omit<PasteHostProps, 'onClose'>, onFail: () => void) {
  const { object, columns, rows, paste } = props;
  const session = useSession();
  const t = useT();
  const [plan, setPlan] = useState<PastePlan>();
  const [records, setRecords] = useState<readonly RecordData[]>([]);
  const contextOf = useTextContext();
  const target = useTarget(object);
  const needed = paste.row + paste.cells.length;
  const isLoaded = rows.count >= needed || !rows.hasMore;
  useEffect(() => {
    if (!isLoaded) rows.show(rows.count, rows.count);
  });
  const make = useEffectEvent(async () => {
    const from = columns.slice(paste.column);
    const found = rows.records.slice(paste.row - rows.first, needed - rows.first);
    const textsAt = (field: Field) => {
      const at = from.findIndex((column) => column.field?.key === field.key);
      return paste.cells.map((row) => row[at] ?? '');
    };
    const width = Math.max(...paste.cells.map((row) => row.length));
    const fields = from.slice(0, width).flatMap(({ field }) => field ?? []);
    try {
      const named = await loadNamed(session, fields, textsAt);
      const cells = paste.isEmptying ? paste.cells.slice(0, found.length) : paste.cells;
      setRecords(found);
      setPlan(
        planPaste(cells, { ...target, columns: from, records: found }, (field) => ({
          ...contextOf(field),
          named: named.get(field.key) ?? new Map(),
        })),
      );
    } catch (error) {
      showToast({ text: problemText(error, t), isProblem: true });
      onFail();
    }
  });
  useEffect(() => {
    if (isLoaded) void make();
  }, [isLoaded]);
  return { plan, records };
}

function useTarget(object: ObjectDefinition) {
  const { capabilities, permissions } = object;
  return {
    object,
    canUpdate: useCanChangeEach(object, 'update'),
    canCreate: capabilities.create && permissions.create.allowed,
    canDelete: capabilities.delete && permissions.delete.allowed,
  };
}

function usePasteWrite({ object }: Pick<PasteHostProps, 'object'>, onDone: () => void) {
  const t = useT();
  const { run } = useWriteMany();
  const [done, setDone] = useState<number>();
  const [outcome, setOutcome] = useState<BatchOutcome>();
  const write = async ({ writes }: PastePlan) => {
    if (writes.length === 0) {
      showToast({ text: t('grid.pastedNothing') });
      return onDone();
    }
    setDone(0);
    const text = (count: number) => t('grid.pasted', { count });
    const result = await run({ type: object.object_type, writes, text, onProgress: setDone });
    setDone(undefined);
    setOutcome(result);
    if (result.refused.length === 0) onDone();
  };
  return { write, done, outcome };
}
