// The menu of the person at the foot of the navigation: settings, theme, the way out. From the registry of actions.

import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { actionsIn, useActions } from '../actions/registry.ts';
import { useT } from '../lib/messages/index.ts';
import { Icon } from '../ui/icon.tsx';
import { PersonButton } from './person-button.tsx';

interface PersonMenuProps {
  readonly isCollapsed: boolean;
  readonly isOpenAtFirst: boolean;
}

export default function PersonMenu({ isCollapsed, isOpenAtFirst }: PersonMenuProps) {
  return (
    <Menu
      position={isCollapsed ? 'right-end' : 'top-start'}
      width={220}
      defaultOpened={isOpenAtFirst}
    >
      <Menu.Target>
        <PersonButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Items />
      </Menu.Dropdown>
    </Menu>
  );
}

const GROUPS = ['workspace', 'settings', 'theme', 'session'] as const;
const LABELS = { workspace: 'workspaces.title', settings: 'settings.label' } as const;

/** Mounted while the menu is open: the rights for its entries are requested then. */
function Items() {
  const t = useT();
  const actions = useActions();
  const groups = GROUPS.filter((group) => actionsIn(actions, group).length > 0);
  return groups.map((group, index) => (
    <Fragment key={group}>
      {index > 0 && <Menu.Divider />}
      {group in LABELS && <Menu.Label>{t(LABELS[group as keyof typeof LABELS])}</Menu.Label>}
      {actionsIn(actions, group).map(({ id, icon, label, run }) => (
        <Menu.Item key={id} leftSection={<Icon name={icon} />} onClick={run}>
          {label}
        </Menu.Item>
      ))}
    </Fragment>
  ));
}
