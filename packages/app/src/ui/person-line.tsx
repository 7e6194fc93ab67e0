// A person or an agent in a list: initials, the name, and a second line.

import type { ReactNode } from 'react';
import { Avatar } from './avatar.tsx';
import { Icon } from './icon.tsx';
import classes from './person-line.module.css';

interface PersonLineProps {
  readonly name: string;
  /** The name, such as a link; plain text by default. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
  readonly isAgent?: boolean;
  readonly isFaded?: boolean;
}

export function PersonLine({ name, children, below, isAgent, isFaded }: PersonLineProps) {
  return (
    <div className={classes.person} data-faded={isFaded || undefined}>
      {isAgent ? (
        <span className={classes.agent}>
          <Icon name="key" size={12} />
        </span>
      ) : (
        <Avatar name={name} size="large" />
      )}
      <div className={classes.texts}>
        <div className={classes.name}>{children ?? name}</div>
        {below !== undefined && <div className={classes.below}>{below}</div>}
      </div>
    </div>
  );
}
