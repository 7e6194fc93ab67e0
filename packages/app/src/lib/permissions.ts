// Whether the person may do something with a record, as the service has said of its object. Advice for what is offered:
// every request is judged on its own.

import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData, Team } from '@workspace-records/client';
import { useCallback } from 'react';
import { useSession } from './session.ts';

type Act = 'update' | 'delete';

export function useCanChange(object: ObjectDefinition, record: RecordData, act: Act): boolean {
  return useJudge(object, act)(record);
}

/** The same for any record of the object; the function stays the same until what it knows changes. */
export function useJudge(object: ObjectDefinition, act: Act): (record: RecordData) => boolean {
  const { workspace, client, me } = useSession();
  const { allowed, scopes } = object.permissions[act];
  const mayBeOfTeam = allowed && !scopes.includes('org_wide') && scopes.includes('owned_by_team');
  const { data: teams = NO_TEAMS } = useQuery({
    queryKey: [workspace, 'teams'],
    queryFn: ({ signal }) => client.teams.list({ signal }),
    enabled: mayBeOfTeam,
  });
  return useCallback(
    ({ owner_user_id: owner }) => {
      if (!object.capabilities[act] || !allowed) return false;
      if (scopes.includes('org_wide')) return true;
      if (owner === null) return false;
      const isOwn = scopes.includes('owned_by_user') && owner === me.user.id;
      return isOwn || (mayBeOfTeam && shareTeam(teams, [owner, me.user.id]));
    },
    [object, act, allowed, scopes, me, mayBeOfTeam, teams],
  );
}

const NO_TEAMS: readonly Team[] = [];

function shareTeam(teams: readonly Team[], ids: readonly number[]): boolean {
  return teams.some(({ member_ids }) => ids.every((id) => member_ids.includes(id)));
}
