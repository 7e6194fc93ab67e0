// Whether the person may do something with a record, by the service's description of its object. Only for the offered
// actions: the service checks every request.

import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useMemo } from 'react';
import { useSession } from './session.ts';

type Act = 'update' | 'delete';

export function useCanChange(object: ObjectDefinition, record: RecordData, act: Act): boolean {
  return useCanChangeEach(object, act)(record);
}

/** A function that answers for each record; it stays the same while its answers do. */
export function useCanChangeEach(
  object: ObjectDefinition,
  act: Act,
): (record: Pick<RecordData, 'owner_user_id'>) => boolean {
  const { workspace, client, me } = useSession();
  const { allowed, scopes } = object.permissions[act];
  const isAllowed = object.capabilities[act] && allowed;
  const isAll = scopes.includes('org_wide');
  const { data: teams } = useQuery({
    queryKey: [workspace, 'teams'],
    queryFn: ({ signal }) => client.teams.list({ signal }),
    enabled: isAllowed && !isAll && scopes.includes('owned_by_team'),
  });
  const userId = me.user.id;
  return useMemo(() => {
    const colleagues = new Set(
      teams?.flatMap(({ member_ids }) => (member_ids.includes(userId) ? member_ids : [])),
    );
    return ({ owner_user_id: owner }) => {
      if (!isAllowed || isAll) return isAllowed;
      if (owner === null) return false;
      const isOwn = scopes.includes('owned_by_user') && owner === userId;
      return isOwn || (scopes.includes('owned_by_team') && colleagues.has(owner));
    };
  }, [teams, isAllowed, isAll, scopes, userId]);
}
