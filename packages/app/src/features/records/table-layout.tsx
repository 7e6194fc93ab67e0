// The records of a question as a table.

import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { expandable, useRecordRows } from '../../lib/record-lists.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListChanges } from '../../ui/list-changes.tsx';
import { Problem } from '../../ui/problem.tsx';
import { columnsOf } from './columns.ts';
import { askedFields } from './grid-columns.ts';
import classes from './records-page.module.css';
import { RecordsTable } from './records-table.tsx';

export function TableLayout({ object, view, onChange }: LayoutProps) {
  const columns = useMemo(() => columnsOf(object, view.fields), [object, view.fields]);
  const { q, sort, where } = view;
  const shown = useMemo(
    () => ({ fields: askedFields(object, columns), expand: expandable(columns) }),
    [object, columns],
  );
  const rows = useRecordRows(object.object_type, { q, sort, where, ...shown });
  const isNothing = !rows.isPending && rows.count === 0 && rows.error === null;
  return (
    <>
      {rows.error !== null && (
        <div className={classes.problem}>
          <Problem error={rows.error} />
        </div>
      )}
      <ListChanges list={rows.queryKey} />
      {isNothing ? (
        <Nothing
          isNarrowed={q !== '' || where.length > 0}
          onWiden={() => onChange({ ...view, q: '', where: [] })}
        />
      ) : (
        <RecordsTable
          {...{ object, columns, rows, sort }}
          question={JSON.stringify({ q, where })}
          onSorting={(sorting) => onChange({ ...view, sort: sorting })}
          onFields={(fields) => onChange({ ...view, fields })}
        />
      )}
    </>
  );
}

interface NothingProps {
  readonly isNarrowed: boolean;
  readonly onWiden: () => void;
}

function Nothing({ isNarrowed, onWiden }: NothingProps) {
  const t = useT();
  if (!isNarrowed) return <EmptyState title={t('records.none')} text={t('records.noneText')} />;
  return (
    <EmptyState
      title={t('records.noMatch')}
      action={
        <Button variant="default" onClick={onWiden}>
          {t('records.showAll')}
        </Button>
      }
    />
  );
}
