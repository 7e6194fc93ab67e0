// Roles made, changed and deleted by administrators. Each change is a new revision of the definition.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Endpoints } from '@workspace-records/client';
import { useSession } from './session.ts';

export type NewRole = Endpoints['createRole']['body'];
export type RolePatch = Endpoints['updateRole']['body'];

export const useCreateRole = () => useCall((client, role: NewRole) => client.roles.create(role));

export const useChangeRole = (key: string) =>
  useCall((client, patch: RolePatch) => client.roles.update(key, patch));

/** Reading again is not awaited: the page of the role is left first. */
export function useDeleteRole(key: string) {
  const { client, again } = useAgain();
  return useMutation({
    mutationFn: () => client.roles.delete(key),
    onSuccess: () => void again(),
  });
}

/** A call after which everything that rights decide is read again. */
function useCall<Result, Given>(call: (client: Client, given: Given) => Promise<Result>) {
  const { client, again } = useAgain();
  return useMutation({ mutationFn: (given: Given) => call(client, given), onSettled: again });
}

/** The own rights may have changed too. */
function useAgain() {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  const again = () =>
    Promise.all(
      ['roles', 'members', 'access', 'objects', 'object'].map((kind) =>
        queries.invalidateQueries({ queryKey: [workspace, kind] }),
      ),
    );
  return { client, again };
}
