// The rest of the access matrix: the key itself, people and teams, the schema, notifications. The stream of events
// has no single answer and has a test of its own.

import { type Case, idsOf, recordsPath, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import {
  BYSTANDERS,
  emailOf,
  inverseId,
  linkId,
  membersOf,
  PERSONAS,
  type Persona,
  SUBJECTS,
  type Subject,
} from './definition.ts';
import {
  type ExpectedAnswer,
  fieldsOf,
  fine,
  first,
  objectOf,
  permissionsOf,
  refusal,
  type Scope,
} from './oracle.ts';

const USERS: readonly Scope[] = ['users:read'];
const READ: readonly Scope[] = ['records:read'];

/** Active people of the workspace; agents are none. */
const activePeople = () => [
  ...PERSONAS.filter(({ active, kind }) => active && kind === 'user').map(({ name }) => name),
  ...Object.keys(BYSTANDERS),
  'admin',
];

/** `/me`, `/users`, `/users/{user_id}`, `/teams` (D16 to D19). */
export function peopleCases(cast: Cast, person: Persona): readonly Case[] {
  const { name, directory, kind } = person;
  const self = kind === 'user' ? [name] : [];
  const idOf = (one: string) => cast.users.get(one) as number;
  const all = activePeople();
  const shown = directory ? all : self;
  const teams = (directory ? (['North', 'South'] as const) : (['North'] as const)).map((team) =>
    membersOf(team).filter((one) => all.includes(one)),
  );
  const users: readonly (readonly [label: string, id: unknown, visible: boolean])[] = [
    ['self', idOf(name), true],
    ['mate', idOf('mate'), directory],
    ['inactive', idOf('inactive'), directory],
    ['agent', idOf('agent'), directory || name === 'agent'],
    ['nobody', 999_999, false],
    ['malformed', 'x1', false],
    ['zero', 0, false],
  ];
  const base = { person, needs: USERS, expectedAnswer: fine() };
  return [
    {
      ...{ ...base, name: 'me', needs: [], send: () => ({ path: '/me' }) },
      check: ({ body: { data }, principal, scopes }) => [
        [
          [data.user.id, data.user.email],
          [idOf(name), emailOf(name)],
        ],
        ...(principal !== 'key'
          ? ([
              [
                [data.api_key, Object.keys(data.session).length],
                [null, 4],
              ],
            ] as const)
          : ([
              [sorted(data.api_key.scopes), sorted(scopes)],
              [data.api_key.type, kind === 'user' ? 'personal' : 'operational'],
              ['session' in data, false],
            ] as const)),
        [data.workspace.slug, 'matrix'],
      ],
    },
    {
      ...{ ...base, name: 'users', send: () => ({ path: '/users?limit=100' }) },
      check: ({ body: { data } }) => [[idsOf(data), sorted(shown.map(idOf))]],
    },
    {
      ...{ ...base, name: 'users with inactive' },
      send: () => ({ path: '/users?limit=100&include_inactive=true' }),
      check: ({ body: { data } }) => {
        const inactive = directory ? ['inactive'] : [];
        return [[idsOf(data), sorted([...shown, ...inactive].map(idOf))]];
      },
    },
    {
      ...{ ...base, name: 'users q', send: () => ({ path: '/users?q=stranger' }) },
      check: ({ body: { data } }) => [[idsOf(data), directory ? [String(idOf('stranger'))] : []]],
    },
    {
      ...{ ...base, name: 'users by ids' },
      send: () => {
        const ids = users.flatMap(([, id]) => (Number(id) > 0 ? [id] : []));
        return { path: `/users?ids=${ids.join(',')}` };
      },
      check: ({ body: { data } }) => {
        const visible = users.filter(([, , isVisible]) => isVisible).map(([, id]) => Number(id));
        return [[idsOf(data), sorted([...new Set(visible)])]];
      },
    },
    {
      ...{ ...base, name: 'teams', send: () => ({ path: '/teams' }) },
      check: ({ body: { data } }) => [
        [
          sorted(data.map(({ member_ids }: { member_ids: number[] }) => sorted(member_ids))),
          sorted(teams.map((members) => sorted(members.map(idOf)))),
        ],
      ],
    },
    ...users.map(
      ([label, id, visible]): Case => ({
        ...{ ...base, name: `user ${label}`, send: () => ({ path: `/users/${id}` }) },
        expectedAnswer: visible ? fine() : refusal(404, 'user_not_found', 'user_id'),
        check: ({ body: { data } }) => [
          [
            [data.id, data.active],
            [id, label !== 'inactive'],
          ],
        ],
      }),
    ),
  ];
}

/** `/objects` and `/workflows/{workflow_id}`. */
export function schemaCases(person: Persona): readonly Case[] {
  const { grants, places } = person;
  const reads = grants.read !== null;
  const subjects = SUBJECTS.map(({ type }) => type);
  const readable = [...(reads ? subjects : []), ...(places === null ? [] : ['places'])];
  const base = { person, needs: READ, expectedAnswer: fine() };
  const typesOf = (data: readonly { readonly object_type: string }[]) =>
    sorted(data.map(({ object_type }) => object_type));
  const permissions: Case['check'] = ({ body: { data }, scopes }) =>
    SUBJECTS.flatMap((subject) => {
      const found = data.find((one: { object_type: string }) => one.object_type === subject.type);
      if (found === undefined) return [];
      return [[found.permissions, permissionsOf(person, subject, scopes)] as const];
    });
  const unseen = refusal(404, 'workflow_not_found', 'workflow_id');
  const workflows: readonly (readonly [string, ExpectedAnswer])[] = [
    ['flow', reads ? fine() : unseen],
    ...['unused', 'absent', "'"].map((id) => [id, unseen] as const),
  ];
  return [
    {
      ...{ ...base, name: 'objects', send: () => ({ path: '/objects' }) },
      check: (seen) => [[typesOf(seen.body.data), sorted(readable)], ...permissions(seen)],
    },
    {
      ...{ ...base, name: 'objects with unreadable' },
      send: () => ({ path: '/objects?include_unreadable=true' }),
      check: (seen) => [
        [typesOf(seen.body.data), sorted([...subjects, 'places'])],
        ...permissions(seen),
      ],
    },
    ...workflows.map(
      ([id, expectedAnswer]): Case => ({
        ...{ ...base, name: `workflow ${id}`, expectedAnswer },
        send: () => ({ path: `/workflows/${encodeURIComponent(id)}` }),
        check: ({ body }) => [[body.data.id, id]],
      }),
    ),
    {
      ...{ ...base, name: 'object absent', send: () => ({ path: '/objects/absent' }) },
      expectedAnswer: refusal(404, 'object_not_available', 'object_type'),
    },
    ...SUBJECTS.map((subject) => definitionCase(person, subject)),
    {
      ...{ ...base, name: 'object places', send: () => ({ path: '/objects/places' }) },
      expectedAnswer:
        places === null ? refusal(404, 'object_not_available', 'object_type') : fine(),
      check: ({ body: { data } }) => [
        [
          sorted(data.relationships.map(({ object }: { object: { key: string } }) => object.key)),
          sorted(reads ? SUBJECTS.flatMap((subject) => shownOnPlaces(person, subject)) : []),
        ],
      ],
    },
  ];
}

/** A place is led to by a reference, if the field may be read, and by a link. */
function shownOnPlaces({ field }: Persona, subject: Subject): readonly string[] {
  const ids = [...(field === 'none' ? [] : [inverseId(subject)]), linkId(subject)];
  return ids.map(() => subject.type);
}

function definitionCase(person: Persona, subject: Subject): Case {
  const { type, writable } = subject;
  const { places, field } = person;
  const guarded = field === 'none' ? [] : ['probe', 'rank', 'place_id', 'extra'];
  const links = places === null ? 0 : field === 'none' ? 1 : 2;
  return {
    ...{ name: 'object', person, needs: READ, about: { subject, kind: 'mine' } },
    expectedAnswer: first(objectOf(person)),
    send: () => ({ path: `/objects/${type}` }),
    check: ({ body: { data }, scopes }) => {
      const keys = data.fields.map(({ key }: { key: string }) => key);
      const editable = data.fields
        .filter((one: { editable: boolean }) => one.editable)
        .map(({ key }: { key: string }) => key);
      const open = fieldsOf({ ...person, field: 'none' }, subject);
      const toPlaces = data.relationships.filter(
        ({ object }: { object: { key: string } }) => object.key === 'places',
      );
      return [
        [sorted(keys), sorted([...open, ...guarded])],
        [editable.includes('probe'), writable && field === 'write'],
        [editable.includes('extra'), writable && field === 'write'],
        [toPlaces.length, links],
        [data.permissions, permissionsOf(person, subject, scopes)],
        [data.workflow?.id ?? null, subject.workflow && type !== 'work_items' ? 'flow' : null],
      ];
    },
  };
}

/** The records that a person has been mentioned on and may still read, and notifications of others. */
export interface Told {
  readonly mine: readonly string[];
  readonly hidden: readonly string[];
  readonly foreign: string;
}

export function notificationCases(
  person: Persona,
  expected: readonly string[],
  told: Told,
): readonly Case[] {
  const needs: readonly Scope[] = ['comments:read'];
  const nowhere = refusal(404, 'record_not_found', 'notification_id');
  const mark = (name: string, id: string, expectedAnswer: ExpectedAnswer): Case => ({
    ...{ name: `mark ${name}`, person, needs, writes: name === 'mine', expectedAnswer },
    send: () => ({ method: 'POST', path: `/notifications/${encodeURIComponent(id)}/read` }),
    check: ({ body }) => [[body.data.id, id]],
  });
  return [
    {
      ...{ name: 'notifications', person, needs, expectedAnswer: fine() },
      send: () => ({ path: '/notifications?limit=100' }),
      check: ({ body: { data } }) => [
        [sorted(data.map(({ record_id }: { record_id: string }) => record_id)), sorted(expected)],
      ],
    },
    {
      ...{ name: 'notification settings', person, needs, expectedAnswer: fine() },
      send: () => ({ path: '/me/notification_settings' }),
      check: ({ body }) => [[body.data.mail, 'at_once']],
    },
    {
      ...{ name: 'change notification settings', person, writes: true, expectedAnswer: fine() },
      needs: ['comments:write'],
      send: () => ({ method: 'PATCH', path: '/me/notification_settings', body: { mail: 'daily' } }),
      check: ({ body }) => [[body.data.mail, 'daily']],
    },
    ...told.mine.map((id) => mark('mine', id, fine())),
    ...told.hidden.map((id) => mark('hidden', id, nowhere)),
    mark("somebody's", told.foreign, nowhere),
    mark('absent', '01a1fd00-0000-7000-8000-000000000000', nowhere),
    mark('malformed', "no-uuid' or 1=1", nowhere),
  ];
}

/** Everybody has their own second factor and none of others; nobody has set one up. */
function factorCases(
  base: Pick<Case, 'person' | 'needs' | 'sessionOnly'>,
  stranger: number | undefined,
): readonly Case[] {
  const own = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    expectedAnswer: Case['expectedAnswer'],
    body?: object,
  ): Case => ({
    ...{ ...base, name: `${method} ${path}`, expectedAnswer },
    send: () => ({ method, path, ...(body === undefined ? {} : { body }) }),
  });
  const [conflict, missing] = [refusal(409, 'conflict'), refusal(404, 'record_not_found')];
  const passkey = `/me/passkeys/${NO_SESSION}`;
  return [
    {
      ...own('GET', '/me/second_factor', fine()),
      check: ({ body: { data } }) => [
        [
          [data.code, data.passkeys],
          [null, []],
        ],
      ],
    },
    own('PUT', '/me/second_factor/code', conflict, { code: '123456' }),
    own('DELETE', '/me/second_factor/code', missing),
    own('POST', '/me/second_factor/recovery_codes', conflict),
    own('POST', '/me/passkeys/options', conflict),
    own('DELETE', passkey, refusal(404, 'record_not_found', 'passkey_id')),
    own('DELETE', `/users/${stranger}/second_factor`, refusal(403, 'permission_denied')),
  ];
}

/** Unknown routes: 404 for every key, counted (D4, D91). */
/** None of these people is an administrator. */
export function sessionCases({ users }: Pick<Cast, 'users'>, person: Persona): readonly Case[] {
  const base = { person, needs: [], sessionOnly: true };
  const userId = users.get(person.name);
  const strangers = users.get('stranger');
  const denied = refusal(403, 'permission_denied');
  const missing = refusal(404, 'record_not_found', 'session_id');
  return [
    {
      ...{ ...base, name: 'sessions', expectedAnswer: fine() },
      send: () => ({ path: '/sessions' }),
      check: ({ body: { data } }) => [
        [new Set(data.map((one: { user_id: number }) => one.user_id)), new Set([userId])],
      ],
    },
    {
      ...{ ...base, name: 'sessions of others', expectedAnswer: denied },
      send: () => ({ path: `/sessions?user_id=${strangers}` }),
    },
    {
      ...{ ...base, name: 'end no session', expectedAnswer: missing },
      send: () => ({ method: 'DELETE', path: `/sessions/${NO_SESSION}` }),
    },
    {
      ...{ ...base, name: 'sign-in link', expectedAnswer: denied },
      send: () => ({ method: 'POST', path: `/users/${strangers}/sign_in_links` }),
    },
    {
      ...{ ...base, name: 'sign-in links', expectedAnswer: denied },
      send: () => ({ path: `/users/${strangers}/sign_in_links` }),
    },
    {
      ...{ ...base, name: 'revoke a sign-in link', expectedAnswer: denied },
      send: () => ({ method: 'DELETE', path: `/users/${strangers}/sign_in_links/${NO_SESSION}` }),
    },
    ...factorCases(base, strangers),
    {
      ...{ ...base, name: 'view as', expectedAnswer: denied },
      send: () => ({ method: 'POST', path: '/viewing', body: { user_id: strangers } }),
    },
    {
      ...{ ...base, name: 'stop viewing', expectedAnswer: fine() },
      send: () => ({ method: 'DELETE', path: '/viewing' }),
      check: ({ body: { data } }) => [[data, { user_id: null, ended: true }]],
    },
    {
      ...{ ...base, name: 'short password' },
      expectedAnswer: refusal(400, 'validation_failed', 'password'),
      send: () => ({ method: 'PUT', path: '/me/password', body: { password: 'short' } }),
    },
  ];
}

const NO_SESSION = '01900000-0000-7000-8000-000000000000';

export function routeCases(person: Persona): readonly Case[] {
  const base = { person, needs: [] };
  return [
    {
      ...{ ...base, name: 'no route', expectedAnswer: refusal(404, 'route_not_found') },
      send: () => ({ path: `${recordsPath(SUBJECTS[0] as Subject)}/a/b/c/d/e` }),
    },
    {
      ...{ ...base, name: 'no method', expectedAnswer: refusal(405, 'method_not_allowed') },
      send: () => ({ method: 'DELETE', path: '/me' }),
    },
  ];
}
