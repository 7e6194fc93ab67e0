// The end of the headings: shows another field, or leads to a new one. By keys a person uses the tool "Columns".

import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { hiddenColumns } from '../../lib/list-columns.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { useIsAdministrator } from '../../lib/use-administrator.ts';
import { MOST_COLUMNS } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import type { GridColumn } from './grid-columns.ts';
import classes from './records-table.module.css';

interface AddColumnProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  readonly onShow: (key: string) => void;
}

export function AddColumn(props: AddColumnProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <td aria-hidden="true" className={classes.addColumn}>
      <Menu opened={isOpen} onChange={setOpen} position="bottom-end" returnFocus={false}>
        <Menu.Target>
          <ActionIcon size={24} tabIndex={-1} aria-label={t('columns.add')}>
            <Icon name="plus" size={14} />
          </ActionIcon>
        </Menu.Target>
        {isOpen && (
          <Menu.Dropdown mah="24rem" style={{ overflowY: 'auto' }}>
            <Choices {...props} />
          </Menu.Dropdown>
        )}
      </Menu>
    </td>
  );
}

function Choices({ object, columns, onShow }: AddColumnProps) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const mayAddField = useIsAdministrator();
  const columnKeys = columns.flatMap(({ kind, id }) => (kind === 'field' ? [id] : []));
  const isFull = columnKeys.length >= MOST_COLUMNS;
  const newField = () =>
    void navigate({
      to: '/$workspace/settings/model/$type',
      params: { workspace, type: object.object_type },
      search: { field: '+' },
    });
  const fields = isFull ? [] : hiddenColumns(object, columnKeys);
  return (
    <>
      {isFull && <Menu.Label>{t('columns.most', { count: MOST_COLUMNS })}</Menu.Label>}
      {fields.length > 0 && <Menu.Label>{t('columns.show')}</Menu.Label>}
      {fields.map(({ key, name }) => (
        <Menu.Item key={key} onClick={() => onShow(key)}>
          {name ?? key}
        </Menu.Item>
      ))}
      {mayAddField && (
        <>
          {fields.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={newField}>
            {t('columns.newField')}
          </Menu.Item>
        </>
      )}
    </>
  );
}
