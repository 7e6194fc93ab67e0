// A person or an organisation as initials on a tint of their own. The name is beside it, or the title of what has it.

import { initialsOf, tintOfName } from '../lib/initials.ts';
import classes from './avatar.module.css';

interface AvatarProps {
  /** Empty: nobody, or not known yet. */
  readonly name: string;
  readonly size?: 'small' | 'normal' | 'large';
  /** A tile is an organisation. */
  readonly shape?: 'circle' | 'tile' | undefined;
}

export function Avatar({ name, size = 'normal', shape }: AvatarProps) {
  return (
    <span
      className={classes.avatar}
      data-size={size}
      data-shape={shape}
      data-tint={name === '' ? 'gray' : tintOfName(name)}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
