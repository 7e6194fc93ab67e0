// The menu of a card: every column as a target, those that are closed with why.

import { ActionIcon, Menu } from '@mantine/core';
import type { RecordData } from '@workspace-records/client';
import { MoveItem } from '../../editing/move-item.tsx';
import { askForApproval } from '../../editing/requests/asked-move.ts';
import { isStatusField } from '../../fields/options.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './board.module.css';
import { useBoard } from './board-context.ts';
import type { BoardColumn } from './columns.ts';

interface CardMenuProps {
  readonly record: RecordData;
  readonly column: BoardColumn;
  readonly tabIndex: number;
}

export function CardMenu({ record, column, tabIndex }: CardMenuProps) {
  const t = useT();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          size={22}
          tabIndex={tabIndex}
          className={classes.more}
          aria-label={t('board.move', { name: recordName(record) })}
        >
          <Icon name="more" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Targets record={record} column={column} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Targets({ record, column }: Pick<CardMenuProps, 'record' | 'column'>) {
  const t = useT();
  const { columns, field, obstacle, move } = useBoard();
  return (
    <>
      <Menu.Label>{t('board.moveTo')}</Menu.Label>
      {columns.map((target) => {
        const closed = obstacle(record, target);
        // With several workflows, statuses of other workflows would be most of the menu.
        if (closed?.kind === 'here' || closed?.kind === 'foreign') return null;
        return (
          <MoveItem
            key={target.id}
            name={target.name}
            tint={target.tint}
            isStatus={isStatusField(field)}
            obstacle={closed}
            from={column.name}
            onMove={() => move(record, target)}
            onAsk={() => askForApproval({ record, to: target.id, status: target.name })}
          />
        );
      })}
    </>
  );
}
