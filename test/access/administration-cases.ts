// The access matrix of administration: none of these people is an administrator, so they cannot change people or
// settings, and see their own roles and rights as far as they may read them.

import { type Case, type Sent, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import { documentOf, GUARDED, type Persona, SUBJECTS } from './definition.ts';
import { fieldsOf, fine, refusal } from './oracle.ts';

const DENIED = refusal(403, 'permission_denied');
const ROLES = Object.keys((documentOf() as { readonly roles: object }).roles);

/** Guarded fields are not even named to people who may not read them. */
function unnamed({ field, grants }: Persona, data: unknown) {
  const text = JSON.stringify(data);
  return field === 'none' || grants.read === null
    ? GUARDED.map((key) => [new RegExp(`"${key}"`).test(text), false] as const)
    : [];
}

export function ownRightsCases(cast: Cast, person: Persona): readonly Case[] {
  const base = { person, needs: ['workspace:read'] } as const;
  const { grants, developer } = person;
  return [
    {
      ...{ ...base, name: 'roles', expectedAnswer: fine(), send: () => ({ path: '/roles' }) },
      check: ({ body: { data } }) => [
        [
          sorted(data.map(({ key }: { readonly key: string }) => key)),
          sorted(person.roles.filter((one) => ROLES.includes(one))),
        ],
        [data.every(({ people }: { readonly people: unknown }) => people === null), true],
        ...unnamed(person, data),
      ],
    },
    {
      ...{ ...base, name: 'access', expectedAnswer: fine(), send: () => ({ path: '/access' }) },
      check: ({ body: { data } }) => [
        [data.developer.allowed, developer],
        [data.administrator.allowed, false],
        ...unnamed(person, data),
        ...SUBJECTS.flatMap((subject) => {
          const { actions, fields } = data.objects.find(
            (one: { readonly object_type: string }) => one.object_type === subject.type,
          );
          // Records have `extra` among their custom fields.
          const keys = fields
            .map(({ key }: { readonly key: string }) => key)
            .filter((key: string) => key !== 'extra');
          const expected = grants.read === null ? [] : fieldsOf(person, subject);
          return [
            [actions.read.reach, grants.read],
            [actions.update.reach, grants.update],
            [sorted(keys), sorted(expected.filter((key) => keys.includes(key)))],
          ] as const;
        }),
      ],
    },
    {
      ...{ ...base, name: 'access of a mate', expectedAnswer: DENIED },
      send: () => ({ path: `/access?user_id=${cast.users.get('mate')}` }),
    },
    ...['', `/${cast.users.get(person.name)}`].map(
      (path): Case => ({
        ...{ ...base, name: `members${path && ' self'}`, expectedAnswer: DENIED },
        send: () => ({ path: `/members${path}` }),
      }),
    ),
  ];
}

/** Refused before it is looked at whom they are about. */
export function administrationCases(cast: Cast, person: Persona): readonly Case[] {
  const mate = `/users/${cast.users.get('mate')}`;
  const sent: readonly Sent[] = [
    { method: 'POST', path: '/users', body: { email: 'new@matrix.example', name: 'New' } },
    { method: 'PATCH', path: mate, body: { name: 'Other' } },
    { method: 'PATCH', path: '/users/999999', body: { roles: ['admin'] } },
    { method: 'PUT', path: `${mate}/teams`, body: { team_ids: [] } },
    { method: 'POST', path: '/teams', body: { name: 'East' } },
    { method: 'PATCH', path: '/teams/1', body: { name: 'East' } },
    { method: 'DELETE', path: '/teams/1' },
    { method: 'POST', path: '/roles', body: { key: 'boss', administrator: true } },
    { method: 'PATCH', path: '/roles/clerk', body: { administrator: true } },
    { method: 'DELETE', path: '/roles/clerk' },
    { method: 'POST', path: '/erasures', body: { records: [{ object_type: 'deals', id: 'x' }] } },
    { method: 'POST', path: '/workspace/export' },
  ];
  return sent.map((one) => ({
    ...{ name: `${one.method} ${one.path}`, person, needs: ['workspace:write'] },
    ...{ expectedAnswer: DENIED, writes: true, send: () => one },
  }));
}
