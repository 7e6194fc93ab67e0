// Text for screen readers.

import type { ComponentProps } from 'react';
import classes from './hidden.module.css';

export function Hidden(props: ComponentProps<'span'>) {
  return <span {...props} className={classes.hidden} />;
}
