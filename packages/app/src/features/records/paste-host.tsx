// A paste: its rows are loaded, names in the text are looked up, and a plain paste is done at once. Where records
// would be new, or there are problems, the person confirms it first.

import type { ObjectDefinition, Where } from '@workspace-records/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import { showToast } from '../../ui/toast.ts';
import type { GridColumn } from './grid-columns.ts';
import type { PastePlan } from './paste-plan.ts';
import type { Paste } from './use-clipboard.ts';
import { usePastePlan } from './use-paste-plan.ts';
import { useWriteMany } from './write-many.ts';

/** The most operations in one batch, which is done before a dialog could be read. */
const AT_ONCE = 100;

const PasteDialog = later(() => import('./paste-dialog.tsx'));

export interface PasteHostProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  readonly rows: Pick<RecordRows, 'records' | 'first' | 'count' | 'hasMore' | 'error' | 'show'>;
  /** Conditions of the list: new records meet them. */
  readonly where: readonly Where[];
  /** The list has no order of its own. */
  readonly isNewestFirst: boolean;
  readonly paste: Paste;
  readonly onClose: () => void;
}

export function PasteHost({ onClose, ...props }: PasteHostProps) {
  const t = useT();
  const { isInside } = props.paste;
  const [isAppended, setAppended] = useState(props.paste.isAppended);
  const { plan, unknown, over, total } = usePastePlan({ ...props, isAppended }, onClose);
  const writing = usePasteWrite(props, onClose);
  const isPlain = plan !== undefined && unknown.length === 0 && isPlainPlan(plan);
  const begin = useEffectEvent((plain: PastePlan) => void writing.write(plain));
  const tell = useEffectEvent(({ problems: [first], leftOut: [closed] }: PastePlan) => {
    if (first !== undefined) showToast({ text: `${first.column} ${t(first.problem)}` });
    else if (closed !== undefined) showToast({ text: `${closed} ${t('grid.notEditable')}` });
    onClose();
  });
  useEffect(() => {
    if (isPlain && plan !== undefined) begin(plan);
    else if (isInside && plan !== undefined) tell(plan);
  }, [isPlain, isInside, plan]);
  const isShort = isPlain && plan.writes.length <= AT_ONCE && writing.outcome === undefined;
  const isReportedElsewhere = isInside && plan !== undefined && !isPlain;
  if (plan === undefined || isShort || isReportedElsewhere) return null;
  return (
    <PasteDialog
      {...{ plan, unknown, onClose, isInside, isAppended }}
      object={props.object}
      total={total}
      over={over}
      onAppend={setAppended}
      done={writing.done}
      outcome={writing.outcome}
      onWrite={() => void writing.write(plan)}
    />
  );
}

/** True for a plan that is applied at once: no record is new, and there is no message before. */
function isPlainPlan({ problems, leftOut, created }: PastePlan): boolean {
  return problems.length === 0 && leftOut.length === 0 && created === 0;
}

function usePasteWrite({ object }: Pick<PasteHostProps, 'object'>, onDone: () => void) {
  const t = useT();
  const { run } = useWriteMany();
  const [done, setDone] = useState<number>();
  const [outcome, setOutcome] = useState<BatchOutcome>();
  const write = async ({ writes, changed }: PastePlan) => {
    if (writes.length === 0) {
      showToast({ text: t('grid.pastedNothing') });
      return onDone();
    }
    setDone(0);
    const text = (count: number) => t(changed === 0 ? 'grid.pastedNew' : 'grid.pasted', { count });
    const result = await run({ type: object.object_type, writes, text, onProgress: setDone });
    setDone(undefined);
    setOutcome(result);
    if (result.refused.length === 0) onDone();
  };
  return { write, done, outcome };
}
