// API keys, one's own and for administrators those of others: listed, made, revoked. The secret of a new key is in the answer and in the component that
// shows it; it never enters a cache.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Authorization, Client, Key } from '@workspace-records/client';
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

/** The request of a program of others. */
export type Asked = Authorization;

/** `query`: with which the program has sent the browser. A refusal stays: the request is the same. */
export function authorizationQuery({ workspace, client }: Session, query: string) {
  return queryOptions({
    queryKey: [workspace, 'authorization', query],
    queryFn: ({ signal }) => client.oauth.read(query, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

type Consent = Omit<Parameters<Client['oauth']['grant']>[0], 'query'>;

/** Gives a program access, and leads the browser to it. A program that has changed is shown again. */
export function useGrant(query: string) {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (consent: Consent) => client.oauth.grant({ ...consent, query }),
    gcTime: 0,
    onSuccess: (url) => location.assign(url),
    onError: () => queries.invalidateQueries({ queryKey: [workspace, 'authorization'] }),
  });
}

export function programsQuery({ workspace, client }: Session) {
  return queryOptions({
    queryKey: [workspace, 'programs'],
    queryFn: ({ signal }) => client.oauth.clients({ signal }),
    retry: false,
  });
}

export function useSwitchProgram() {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Parameters<Client['oauth']['switch']>[0]) => client.oauth.switch(change),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [workspace, 'programs'] }),
        queries.invalidateQueries({ queryKey: [workspace, 'keys'] }),
      ]),
  });
}
