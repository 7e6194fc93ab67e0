// Rows that have another number of cells than the header: they are not imported.

import { Alert } from '@mantine/core';
import type { Table } from '../../../../tables/src/reading.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './imports.module.css';

/** The most rows that are shown. */
const SHOWN = 5;

export function UnevenRows({ uneven }: { readonly uneven: Table['uneven'] }) {
  const t = useT();
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
      {t('import.unevenRows', { count: uneven.count })}
      <ul className={classes.names}>
        {uneven.first.slice(0, SHOWN).map(({ line, text }) => (
          <li key={line}>{t('import.lineText', { line: String(line), text })}</li>
        ))}
      </ul>
    </Alert>
  );
}
