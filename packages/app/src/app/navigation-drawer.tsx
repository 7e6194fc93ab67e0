// The navigation in a drawer, on narrow screens.

import { Drawer } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';

interface NavigationDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export default function NavigationDrawer({ isOpen, onClose }: NavigationDrawerProps) {
  const t = useT();
  const { me } = useSession();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size="17rem"
      title={me.workspace.name}
      closeButtonProps={{ 'aria-label': t('shell.closeMenu') }}
      classNames={{ body: classes.drawer }}
    >
      <Navigation isCollapsed={false} />
    </Drawer>
  );
}
