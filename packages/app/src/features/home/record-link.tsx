// A record in a list of the first page.

import { Link } from '@tanstack/react-router';
import type { ObjectSummary } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import classes from './home-page.module.css';

interface RecordLinkProps {
  readonly type: string;
  readonly id: string;
  readonly display: string;
  readonly object: ObjectSummary | undefined;
  /** After the name. */
  readonly children: ReactNode;
}

export function RecordLink({ type, id, display, object, children }: RecordLinkProps) {
  const { workspace } = useSession();
  return (
    <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} className={classes.record}>
      <Icon name={object === undefined ? 'box' : iconOf(object)} />
      <span className={classes.display}>{display}</span>
      {children}
    </Link>
  );
}
