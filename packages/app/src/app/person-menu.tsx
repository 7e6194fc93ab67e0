// The menu of the person at the foot of the navigation: settings, theme, the way out. From the registry of actions.

import { Menu, UnstyledButton } from '@mantine/core';
import { Fragment } from 'react';
import { actionsIn, useActions } from '../actions/registry.ts';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import { Icon } from '../ui/icon.tsx';
import navigation from './navigation.module.css';
import classes from './person-menu.module.css';

export function PersonMenu({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const t = useT();
  const { me } = useSession();
  const name = me.user.name ?? me.user.email ?? '';
  return (
    <Menu position={isCollapsed ? 'right-end' : 'top-start'} width={220}>
      <Menu.Target>
        <UnstyledButton className={navigation.entry} aria-label={t('nav.person', { name })}>
          <span className={classes.initials} data-initials={initialsOf(name)} />
          <span className={navigation.word}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Items />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Mounted while the menu is open: what may be offered is asked of the service then. */
function Items() {
  const actions = useActions();
  return (['settings', 'theme', 'session'] as const).map((group, index) => (
    <Fragment key={group}>
      {index > 0 && <Menu.Divider />}
      {actionsIn(actions, group).map(({ id, icon, label, run }) => (
        <Menu.Item key={id} leftSection={<Icon name={icon} />} onClick={run}>
          {label}
        </Menu.Item>
      ))}
    </Fragment>
  ));
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
