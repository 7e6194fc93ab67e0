// A person as initials on a tint of their own. Their name is beside it, or the title of what has it.

import { initialsOf, tintOfName } from '../lib/initials.ts';
import classes from './avatar.module.css';

interface AvatarProps {
  /** Empty: nobody, or not known yet. */
  readonly name: string;
  readonly size?: 'small' | 'normal' | 'large';
}

export function Avatar({ name, size = 'normal' }: AvatarProps) {
  return (
    <span
      className={classes.avatar}
      data-size={size}
      data-tint={name === '' ? 'gray' : tintOfName(name)}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
