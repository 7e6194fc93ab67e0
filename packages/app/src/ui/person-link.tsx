// The name of a person, which leads to their page in the settings.

import { Link } from '@tanstack/react-router';
import { useSession } from '../lib/session.ts';
import table from './settings-table.module.css';

interface PersonLinkProps {
  readonly id: number;
  readonly name: string;
}

export function PersonLink({ id, name }: PersonLinkProps) {
  const { workspace } = useSession();
  return (
    <Link
      to="/$workspace/settings/people/$id"
      params={{ workspace, id: String(id) }}
      className={table.link}
    >
      {name}
    </Link>
  );
}
