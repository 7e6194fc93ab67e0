// Whether the person is an administrator, and not viewing as somebody else.

import { useQuery } from '@tanstack/react-query';
import { accessQuery } from './schema-queries.ts';
import { useSession } from './session.ts';

export function useIsAdministrator(): boolean {
  const session = useSession();
  const { data: access } = useQuery(accessQuery(session));
  return access?.administrator.allowed === true && session.me.viewing === undefined;
}
