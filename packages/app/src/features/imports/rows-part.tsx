// The subject of the rows: records, comments on them, or links to others.

import { NativeSelect, Text } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import classes from './imports.module.css';
import { isComments, offeredRows, type Rows, rowsName } from './subjects.ts';

interface RowsPartProps {
  readonly object: ObjectDefinition;
  readonly rows: Rows;
  readonly onChange: (rows: Rows) => void;
}

export function RowsPart({ object, rows, onChange }: RowsPartProps) {
  const t = useT();
  const offered = offeredRows(object);
  if (offered.length === 1) return null;
  return (
    <div>
      <NativeSelect
        className={classes.rows}
        label={t('import.eachRow')}
        value={rows}
        data={offered.map((one) => ({ value: one, label: rowsName(object, one, t) }))}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {isComments(rows) && <Text c="dimmed">{t('import.commentsNeed')}</Text>}
    </div>
  );
}
