// An entry of the navigation: an icon and a name.

import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type Glyph, Icon } from '../ui/icon.tsx';
import classes from './navigation.module.css';

interface EntryProps {
  readonly name: string;
  readonly isCollapsed: boolean;
  readonly children: ReactNode;
}

/** Without text next to the icon, the name shows on hover. */
export function Entry({ name, isCollapsed, children }: EntryProps) {
  return (
    <Tooltip label={name} position="right" disabled={!isCollapsed}>
      <div>{children}</div>
    </Tooltip>
  );
}

export function Content({ icon, name }: { readonly icon: Glyph; readonly name: string }) {
  return (
    <>
      <Icon name={icon} />
      <span className={classes.word}>{name}</span>
    </>
  );
}

/** True after a pause: requests that wait for it do not delay those of the page itself. */
export function useLater(milliseconds: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isLater;
}
