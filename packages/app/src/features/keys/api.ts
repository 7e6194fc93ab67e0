// API keys, one's own and for administrators those of others: listed, made, revoked. The secret of a new key is in the answer and in the component that
// shows it; it never enters a cache.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Key } from '@workspace-records/client';
import { type Session, useSession } from '../../lib/session.ts';

export type KeyForm = Parameters<Client['keys']['create']>[0];
export type Scope = NonNullable<KeyForm['scopes']>[number];

/** The owner of the keys: a user, or for administrators everybody. */
export type Owner = number | 'all';

export function keysQuery({ workspace, client }: Session, owner: Owner) {
  return queryOptions({
    queryKey: [workspace, 'keys', owner],
    queryFn: async ({ signal }) => {
      const keys: Key[] = [];
      const asked = owner === 'all' ? {} : { user_id: owner };
      for await (const key of client.keys.all(asked, { signal })) keys.push(key);
      return keys;
    },
  });
}

export function useCreateKey() {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: KeyForm) => session.client.keys.create(form),
    // The result of the mutation is dropped with its component.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: [session.workspace, 'keys'] }),
  });
}

export function useRevokeKey() {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => session.client.keys.revoke(id),
    onSettled: () => queries.invalidateQueries({ queryKey: [session.workspace, 'keys'] }),
  });
}
