// Shows that a list is out of date, with a button that updates it. It lies above the list, so that no row moves.

import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useT } from '../lib/messages/index.ts';
import { useLiveList } from '../live/use-live.ts';
import classes from './list-changes.module.css';

interface ListChangesProps {
  /** The key of a query of `recordsQuery`. */
  readonly list: QueryKey;
  /** True when the list shows no rows. */
  readonly isEmpty: boolean;
}

export function ListChanges({ list, isEmpty }: ListChangesProps) {
  const t = useT();
  const { changes, isOld, show } = useLiveList(list, isEmpty);
  const text = isOld ? t('live.old') : t('live.changes', { count: changes });
  return (
    <div className={classes.place} role="status">
      {(isOld || changes > 0) && (
        <div className={classes.note}>
          <span>{text}</span>
          <Button size="compact-xs" onClick={show}>
            {t('live.show')}
          </Button>
        </div>
      )}
    </div>
  );
}
