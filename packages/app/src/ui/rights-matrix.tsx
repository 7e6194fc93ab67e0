// The frame of a matrix of rights: a column for each action, and rows of objects.

import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import classes from './rights-matrix.module.css';
import { ACTIONS } from './rights-words.ts';

interface RightsMatrixProps {
  readonly label: string;
  /** The heading of one more column, before those of the actions. */
  readonly access?: ReactNode;
  /** Rows of the table. */
  readonly children: ReactNode;
}

export function RightsMatrix({ label, access, children }: RightsMatrixProps) {
  const t = useT();
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('roles.object')}</th>
            {access !== undefined && <th scope="col">{access}</th>}
            {ACTIONS.map(({ action, word }) => (
              <th key={action} scope="col">
                {t(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
