// Changes of teams by administrators. Members are set with the person: the service has no list of members to write.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Endpoints } from '@workspace-records/client';
import { useSession } from '../../lib/session.ts';

export type TeamBody = Endpoints['createTeam']['body'];

export const useCreateTeam = () => useCall((client, body: TeamBody) => client.teams.create(body));

export const useChangeTeam = (id: number) =>
  useCall((client, body: TeamBody) => client.teams.update(id, body));

export const useDeleteTeam = (id: number) =>
  useCall((client, _: undefined) => client.teams.delete(id));

/** The other teams of the person stay as they are now. */
export const useAddMember = (team: number) =>
  useCall((client, user: number) =>
    changeTeams(client, user, (teams) => [...new Set([...teams, team])]),
  );

export const useRemoveMember = (team: number) =>
  useCall((client, user: number) =>
    changeTeams(client, user, (teams) => teams.filter((one) => one !== team)),
  );

async function changeTeams(
  client: Client,
  user: number,
  change: (teams: readonly number[]) => readonly number[],
) {
  const { teams } = await client.members.get(user);
  return client.users.setTeams(user, change(teams.map(({ id }) => id)));
}

/** A call after which everything about teams and people is read again. */
function useCall<Result, Given>(call: (client: Client, given: Given) => Promise<Result>) {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => call(client, given),
    // Not awaited: a team that was deleted takes its dialog with it, which has to report it first.
    onSettled() {
      for (const kind of ['teams', 'members', 'people'])
        void queries.invalidateQueries({ queryKey: [workspace, kind] });
    },
  });
}
