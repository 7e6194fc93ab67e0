// The actions on a column, without a pointer that drags.

import { ActionIcon, Menu } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import { totalsOf } from '../../lib/totals.ts';
import { Icon } from '../../ui/icon.tsx';
import type { GridColumn } from './grid-columns.ts';
import classes from './records-table.module.css';

export interface ColumnActs {
  sort(column: GridColumn, isDescending: boolean): void;
  /** Moves a column by this number of places. */
  move(column: GridColumn, places: number): void;
  hide(column: GridColumn): void;
  /** Shows another field as the last column. */
  show(key: string): void;
  /** Opens the menu of its total. */
  total(column: GridColumn): void;
  widen(column: GridColumn, steps: number): void;
  reset(column: GridColumn): void;
}

interface HeadMenuProps {
  readonly column: GridColumn;
  readonly name: string;
  readonly canSort: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly acts: ColumnActs;
}

export function HeadMenu({ column, name, canSort, isOpen, onOpen, acts }: HeadMenuProps) {
  const t = useT();
  const button = (
    <ActionIcon
      size={20}
      tabIndex={-1}
      className={classes.headMenu}
      // Screen readers have the keys of menus, and would read it after the name of each column.
      aria-hidden="true"
      aria-label={t('columns.of', { name })}
      onClick={() => onOpen(true)}
    >
      <Icon name="more" size={12} />
    </ActionIcon>
  );
  // Most of them are never opened.
  if (!isOpen) return button;
  const isField = column.kind === 'field';
  return (
    <Menu opened onChange={onOpen} returnFocus={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {canSort && (
          <>
            <Menu.Item onClick={() => acts.sort(column, false)}>{t('columns.ascending')}</Menu.Item>
            <Menu.Item onClick={() => acts.sort(column, true)}>{t('columns.descending')}</Menu.Item>
            <Menu.Divider />
          </>
        )}
        {isField && (
          <>
            <Menu.Item onClick={() => acts.move(column, -1)}>{t('columns.left')}</Menu.Item>
            <Menu.Item onClick={() => acts.move(column, 1)}>{t('columns.right')}</Menu.Item>
          </>
        )}
        <Menu.Item closeMenuOnClick={false} onClick={() => acts.widen(column, 1)}>
          {t('columns.wider')}
        </Menu.Item>
        <Menu.Item closeMenuOnClick={false} onClick={() => acts.widen(column, -1)}>
          {t('columns.narrower')}
        </Menu.Item>
        <Menu.Item onClick={() => acts.reset(column)}>{t('columns.standardWidth')}</Menu.Item>
        {column.field !== undefined && isField && totalsOf(column.field).length > 0 && (
          <Menu.Item onClick={() => acts.total(column)}>{t('totals.add')}…</Menu.Item>
        )}
        {isField && <Menu.Item onClick={() => acts.hide(column)}>{t('columns.hide')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
