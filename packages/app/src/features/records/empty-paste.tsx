// A paste on a list without a record: there is no cell for it, so it is that of the page.

import type { ObjectDefinition, Where } from '@workspace-records/client';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { makeKey } from '../../lib/idempotency-key.ts';
import { useT } from '../../lib/messages/index.ts';
import { showToast } from '../../ui/toast.ts';
import { gridColumns } from './grid-columns.ts';
import { PasteHost, type PasteHostProps } from './paste-host.tsx';
import { MOST_PASTED } from './paste-plan.ts';
import { CELLS, parseCells } from './tab-text.ts';
import type { Paste } from './use-clipboard.ts';

interface EmptyPasteProps extends Pick<PasteHostProps, 'isNewestFirst'> {
  readonly object: ObjectDefinition;
  readonly columns: Parameters<typeof gridColumns>[1];
  readonly where: readonly Where[];
}

const NO_ROWS = {
  ...{ records: [], first: 0, count: 0, hasMore: false, error: null },
  show: () => undefined,
};

export function EmptyPaste({ object, columns: shown, ...props }: EmptyPasteProps) {
  const t = useT();
  const [paste, setPaste] = useState<Paste>();
  const columns = useMemo(() => gridColumns(object, shown, false), [object, shown]);
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const text =
      event.clipboardData?.getData(CELLS) || event.clipboardData?.getData('text/plain') || '';
    if (text === '' || event.defaultPrevented || isElsewhere(event.target)) return;
    event.preventDefault();
    const cells = parseCells(text);
    const most = { count: MOST_PASTED };
    if (cells.length > MOST_PASTED + 1)
      showToast({ text: t('grid.tooLong', most), isProblem: true });
    else setPaste({ id: makeKey(), cells, row: 0, column: 0, isInside: false, isAppended: true });
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);
  if (paste === undefined) return null;
  return (
    <PasteHost
      key={paste.id}
      {...{ object, columns, paste }}
      {...props}
      rows={NO_ROWS}
      onClose={() => setPaste((present) => (present === paste ? undefined : present))}
    />
  );
}

/** True for an element in a field or a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable=true], [role=dialog]') !== null
  );
}
