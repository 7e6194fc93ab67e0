// Whether the person may do something with a record, as the service has said of its object. Advice for what is offered:
// every request is judged on its own.

import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useSession } from './session.ts';

type Act = 'update' | 'delete';

export function useCanChange(object: ObjectDefinition, record: RecordData, act: Act): boolean {
  const { workspace, client, me } = useSession();
  const { allowed, scopes } = object.permissions[act];
  const owner = record.owner_user_id;
  const isOwn = scopes.includes('owned_by_user') && owner === me.user.id;
  const isAll = scopes.includes('org_wide');
  const mayBeOfTeam =
    allowed && !isAll && !isOwn && owner !== null && scopes.includes('owned_by_team');
  const { data: teams = [] } = useQuery({
    queryKey: [workspace, 'teams'],
    queryFn: ({ signal }) => client.teams.list({ signal }),
    enabled: mayBeOfTeam,
  });
  const isOfTeam =
    mayBeOfTeam &&
    teams.some(({ member_ids }) => member_ids.includes(owner) && member_ids.includes(me.user.id));
  return object.capabilities[act] && allowed && (isAll || isOwn || isOfTeam);
}
