// The keys of the person: listed, made, revoked. The secret of a new key is in the answer and in the component that
// shows it; it never enters a cache.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Key } from '@workspace-records/client';
import { type Session, useSession } from '../../lib/session.ts';

export type KeyForm = Parameters<Client['keys']['create']>[0];
export type Scope = NonNullable<KeyForm['scopes']>[number];

export function keysQuery({ workspace, client, me }: Session) {
  return queryOptions({
    queryKey: [workspace, 'keys'],
    queryFn: async ({ signal }) => {
      const keys: Key[] = [];
      for await (const key of client.keys.all({ user_id: me.user.id }, { signal })) keys.push(key);
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
    onSuccess: () => queries.invalidateQueries(keysQuery(session)),
  });
}

export function useRevokeKey() {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => session.client.keys.revoke(id),
    onSettled: () => queries.invalidateQueries(keysQuery(session)),
  });
}
