// Links between which one is chosen, each an address of its own.

import type { ReactNode } from 'react';
import classes from './filters.module.css';

interface FiltersProps {
  readonly label: string;
  /** Links; the one to the present address has `aria-current`. */
  readonly children: ReactNode;
}

export function Filters({ label, children }: FiltersProps) {
  return (
    <nav className={classes.filters} aria-label={label}>
      {children}
    </nav>
  );
}
