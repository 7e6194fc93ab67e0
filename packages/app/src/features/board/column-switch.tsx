// Selects the shown column, where there is room for one only.

import { ActionIcon, NativeSelect } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './board.module.css';
import { type Held, useBoard } from './board-context.ts';
import type { BoardColumn } from './columns.ts';
import type { FiguresByColumn } from './figures.ts';

interface ColumnSwitchProps {
  readonly figures: FiguresByColumn | undefined;
  readonly shown: BoardColumn;
  /** The card that is held; its column stays while it is. */
  readonly held: Held | undefined;
  readonly onShow: (id: string) => void;
}

export function ColumnSwitch({ figures, shown, held, onShow }: ColumnSwitchProps) {
  const t = useT();
  const { columns } = useBoard();
  const place = columns.indexOf(shown);
  const [before, after] = [columns[place - 1], columns[place + 1]];
  return (
    <div className={classes.switch}>
      <ActionIcon
        aria-label={t('board.previous')}
        className={classes.backwards}
        disabled={before === undefined || held !== undefined}
        onClick={() => before && onShow(before.id)}
      >
        <Icon name="right" />
      </ActionIcon>
      <NativeSelect
        size="sm"
        aria-label={t('board.column')}
        className={classes.switched}
        disabled={held !== undefined}
        data={columns.map(({ id, name }) => ({
          value: id,
          label:
            figures === undefined
              ? name
              : t('board.counted', { name, count: figures[id]?.count ?? 0 }),
        }))}
        value={shown.id}
        onChange={({ currentTarget }) => onShow(currentTarget.value)}
      />
      <ActionIcon
        aria-label={t('board.next')}
        disabled={after === undefined || held !== undefined}
        onClick={() => after && onShow(after.id)}
      >
        <Icon name="right" />
      </ActionIcon>
    </div>
  );
}
