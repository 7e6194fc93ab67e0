// The height of the rows of a table: in the address, and remembered by this browser for each object.

import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { ROW_HEIGHTS } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { keepRowHeight, rowHeightOf } from './row-heights.ts';

const NAMES = { compact: 'rows.compact', normal: 'rows.normal', tall: 'rows.tall' } as const;

export function RowHeightMenu({ object, view, onChange }: LayoutProps) {
  const t = useT();
  const present = rowHeightOf(object.object_type, view);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Tooltip label={t('rows.title')}>
          <ActionIcon aria-label={t('rows.title')}>
            <Icon name="rows" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={present}>
          {ROW_HEIGHTS.map((rows) => (
            <Menu.RadioItem
              key={rows}
              value={rows}
              closeMenuOnClick
              onChange={() => {
                keepRowHeight(object.object_type, rows);
                onChange({ ...view, rows });
              }}
            >
              {t(NAMES[rows])}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
