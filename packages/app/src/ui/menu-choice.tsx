// An item of a menu, which may be disabled. A disabled one takes the focus too: otherwise the arrow keys would leave a menu
// whose first item is disabled.

import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './menu-choice.module.css';

interface MenuChoiceProps {
  readonly isClosed: boolean;
  readonly color?: string;
  readonly leftSection?: ReactNode;
  readonly onClick?: (() => void) | undefined;
  readonly children: ReactNode;
}

export function MenuChoice({ isClosed, onClick, ...props }: MenuChoiceProps) {
  return (
    <Menu.Item
      className={classes.choice}
      aria-disabled={isClosed}
      closeMenuOnClick={!isClosed}
      {...(isClosed ? {} : { onClick })}
      {...props}
    />
  );
}
