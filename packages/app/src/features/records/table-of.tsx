// The records that some conditions find, as one table.

import type { Where } from '@workspace-records/client';
import { useMemo } from 'react';
import { lacksTypes } from '../../lib/creation-fields.ts';
import { columnsOf } from '../../lib/list-columns.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { expandable, useRecordRows } from '../../lib/record-lists.ts';
import { firstTotals } from '../../lib/totals.ts';
import { Failure } from '../../ui/failure.tsx';
import { ListChanges } from '../../ui/list-changes.tsx';
import { EmptyPaste } from './empty-paste.tsx';
import { requestedFields } from './grid-columns.ts';
import { Nothing } from './nothing.tsx';
import { RecordsTable } from './records-table.tsx';
import { rowHeightOf } from './row-heights.ts';

interface TableOfProps extends LayoutProps {
  /** The filters of the view, and the one of the group that the table shows. */
  readonly where: readonly Where[];
  /** True: of a group, whose records are counted above it. */
  readonly isPart?: boolean;
}

export function TableOf({ object, view, where, isPart = false, onChange }: TableOfProps) {
  const columns = useMemo(() => columnsOf(object, view.fields), [object, view.fields]);
  const { q, sort } = view;
  // Groups have their sums in their headings.
  const totals = useMemo(
    () => view.totals ?? (isPart ? [] : firstTotals(columns)),
    [view.totals, isPart, columns],
  );
  const shown = useMemo(
    () => ({ fields: requestedFields(object, columns), expand: expandable(columns) }),
    [object, columns],
  );
  const rows = useRecordRows(object.object_type, { q, sort, where, ...shown });
  const selecting = useMemo(() => ({ q, where }), [q, where]);
  return (
    <>
      {rows.error === null ? (
        <ListChanges list={rows.queryKey} isEmpty={rows.isEmpty} />
      ) : (
        <Failure error={rows.error} onRetry={rows.refresh} />
      )}
      {!(rows.isEmpty && (isPart || lacksTypes(object))) && (
        <RecordsTable
          {...{ object, columns, rows, sort }}
          {...{ asked: selecting, isPart }}
          totals={totals}
          height={rowHeightOf(object.object_type, view)}
          onSorting={(sorting) => onChange({ ...view, sort: sorting })}
          onFields={(fields) => onChange({ ...view, fields })}
          onTotals={(next) => onChange({ ...view, totals: next })}
        />
      )}
      {rows.isEmpty && (
        <>
          <Nothing {...{ object, view, onChange }} />
          <EmptyPaste {...{ object, columns, where }} isNewestFirst={sort.length === 0} />
        </>
      )}
    </>
  );
}
