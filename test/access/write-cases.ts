// Writes of the access matrix: create, update, status, delete, links, comments and all seven
// actions of a batch, with guarded fields, owners and targets of every kind.

import { type Case, recordsPath, sorted } from './case.ts';
import { type Cast, type Placed, required } from './cast.ts';
import { type Action, linkId, type Persona, type Subject } from './definition.ts';
import {
  actionOf,
  type ExpectedAnswer,
  fieldsOf,
  fine,
  first,
  inBatch,
  isHit,
  KINDS,
  type Kind,
  namedRelationship,
  type Owner,
  objectOf,
  onRecord,
  ownerOf,
  recordOf,
  refusal,
  type Scope,
  upserted,
  writtenField,
} from './oracle.ts';

const WRITE: readonly Scope[] = ['records:write'];
const DELETE: readonly Scope[] = ['records:delete'];
const BOTH: readonly Scope[] = ['records:write', 'records:delete'];

interface Values {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The answer by field rights, before the record. */
  readonly expectedAnswer: ExpectedAnswer | undefined;
  /** The answer by rules, after it. */
  readonly rule?: ExpectedAnswer | undefined;
}

/** Values for an update or a create, each with what decides about it. */
function valuesOf(cast: Cast, person: Persona): readonly Values[] {
  const isHidden = person.places !== 'organisation';
  return [
    {
      name: 'guarded',
      fields: { probe: 'Changed' },
      expectedAnswer: writtenField(person, 'fields.probe'),
    },
    {
      name: 'jsonb',
      fields: { custom_fields: { extra: 'Changed' } },
      expectedAnswer: writtenField(person, 'fields.custom_fields.extra'),
    },
    {
      name: 'reference',
      fields: { place_id: cast.places.foreign },
      expectedAnswer: writtenField(person, 'fields.place_id'),
      rule: isHidden ? refusal(422, 'invalid_write', 'fields.place_id') : undefined,
    },
    {
      name: 'unknown',
      fields: { nope: 1 },
      expectedAnswer: refusal(400, 'invalid_filter', 'fields.nope'),
    },
    {
      name: 'read-only',
      fields: { created_at: '2026-01-01' },
      expectedAnswer: undefined,
      rule: refusal(422, 'invalid_write', 'fields.created_at'),
    },
  ];
}

/** Writes that name no record. */
export function createCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  const path = recordsPath(subject);
  const base = { person, writes: true, needs: WRITE };
  const action = actionOf(person, subject, 'create');
  const values = [
    { name: 'open', fields: {}, expectedAnswer: undefined },
    ...valuesOf(cast, person),
  ];
  return values.flatMap(
    ({ name, fields, expectedAnswer: field, rule }: Values): readonly Case[] => {
      const body = { fields: { ...required(subject, 'Made'), ...fields } };
      const expectedAnswer = first(objectOf(person), action, field, rule, fine(201));
      const operations = [{ action: 'create', ...body }];
      return [
        {
          ...{ ...base, name: `create ${name}`, expectedAnswer },
          send: () => ({ method: 'POST', path, body }),
          check: ({ body: { data } }) => [
            [sorted(Object.keys(data.fields)), fieldsOf(person, subject)],
            [data.owner_user_id, subject.owned ? cast.users.get(person.name) : null],
          ],
        },
        {
          ...{ ...base, name: `batch create ${name}`, expectedAnswer: inBatch(expectedAnswer) },
          send: () => ({ method: 'POST', path: `${path}/batch`, body: { operations } }),
        },
      ];
    },
  );
}

const OWNERS: readonly Owner[] = ['mate', 'stranger', 'inactive', 'agent', 'nobody'];

/** Someone else as owner, of a new record and of one's own. */
export function ownerCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  const path = recordsPath(subject);
  const base = { person, writes: true, needs: WRITE };
  // An agent owns the records it makes, so it may name itself as the owner.
  const others = OWNERS.filter((owner) => owner !== person.name);
  return others.flatMap((owner): readonly Case[] => {
    const owner_user_id = cast.users.get(owner) ?? 999_999;
    const create = ownerOf(person, owner, person.grants.create);
    const update = ownerOf(person, owner, 'organisation');
    const check: Case['check'] = ({ body: { data } }) => [[data.owner_user_id, owner_user_id]];
    const about = { subject, kind: 'mine' } as const;
    const action = actionOf(person, subject, 'create');
    return [
      {
        ...{ ...base, name: `create for ${owner}`, check },
        expectedAnswer: first(objectOf(person), action, create, fine(201)),
        send: () => {
          const fields = { ...required(subject, 'Made'), owner_user_id };
          return { method: 'POST', path, body: { fields } };
        },
      },
      {
        ...{ ...base, name: `give to ${owner}`, about, check },
        expectedAnswer: first(
          onRecord(person, subject, { action: 'update', kind: 'mine' }),
          update,
        ),
        send: ({ id }) => ({
          method: 'PATCH',
          path: `${path}/${id}`,
          body: { fields: { owner_user_id } },
        }),
      },
    ];
  });
}

/** One write to a record: how it is sent alone and as an operation of a batch. */
interface Write {
  readonly name: string;
  readonly needs: readonly Scope[];
  readonly action: Action;
  readonly expectedAnswer: ExpectedAnswer | undefined;
  readonly rule?: ExpectedAnswer | undefined;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly operation: Readonly<Record<string, unknown>>;
  readonly check?: Case['check'];
}

/** Every write to a record, of any owner. */
export function recordWriteCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  const path = recordsPath(subject);
  const writes = [
    ...updates(cast, person, subject),
    ...moves(person, subject),
    ...links(cast, person, subject),
  ];
  return KINDS.flatMap((kind) => [
    ...writes.flatMap((write): readonly Case[] => {
      const { name, needs, action, expectedAnswer: fields, rule, operation } = write;
      const expectedAnswer = first(onRecord(person, subject, { action, kind, fields }), rule);
      const base = { person, writes: true, about: { subject, kind } };
      return [
        {
          ...{ ...base, name, needs, expectedAnswer },
          send: ({ id }) => ({
            method: write.method,
            path: `${path}/${encodeURIComponent(id)}${write.path}`,
            ...(write.body === undefined ? {} : { body: write.body }),
          }),
          ...(write.check === undefined ? {} : { check: write.check }),
        },
        {
          ...{ ...base, name: `batch ${name}`, expectedAnswer: inBatch(expectedAnswer) },
          needs: action === 'delete' ? BOTH : WRITE,
          send: ({ id }) => {
            const body = { operations: [{ ...operation, id }] };
            return { method: 'POST', path: `${path}/batch`, body };
          },
          check: ({ body: { data }, record }) => [[data.results[0].id, record.id]],
        },
      ];
    }),
    ...(kind === 'malformed' || kind === 'other_workspace'
      ? []
      : [upsertCase(person, subject, kind)]),
    ...commentCases(cast, person, subject, kind),
    restoreCase(person, subject, kind),
  ]);
}

/** The values after the first revision are those that the record has. */
function restoreCase(person: Persona, subject: Subject, kind: Kind): Case {
  const fields = writtenField(person, 'fields.probe');
  const body = { revision: 1, fields: ['probe'] };
  return {
    ...{ name: 'restore', person, writes: true, about: { subject, kind }, needs: WRITE },
    expectedAnswer: first(onRecord(person, subject, { action: 'update', kind, fields })),
    send: ({ id }) => ({
      ...{ method: 'POST', body },
      path: `${recordsPath(subject)}/${encodeURIComponent(id)}/restore`,
    }),
    check: ({ body: { data }, record }) => [
      ...[[data.id, record.id] as const, [data.fields.probe, record.probe] as const],
    ],
  };
}

function updates(cast: Cast, person: Persona, subject: Subject): readonly Write[] {
  const open = { name: 'open', fields: { [subject.title]: 'Changed' }, expectedAnswer: undefined };
  return [open, ...valuesOf(cast, person)].map(
    ({ name, fields, expectedAnswer, rule }: Values) => ({
      ...{ name: `update ${name}`, needs: WRITE, action: 'update', expectedAnswer, rule },
      ...{ method: 'PATCH', path: '', body: { fields } },
      operation: { action: 'update', fields },
      check: ({ body: { data }, record }) => [
        [data.id, record.id],
        [sorted(Object.keys(data.fields)), fieldsOf(person, subject)],
      ],
    }),
  );
}

function moves(person: Persona, { workflow }: Subject): readonly Write[] {
  const body = { status_id: 'done' };
  return [
    {
      ...{ name: 'status', needs: WRITE, action: 'update', expectedAnswer: undefined },
      rule: workflow ? undefined : refusal(422, 'invalid_write', 'status_id'),
      ...{ method: 'POST', path: '/status', body, operation: { action: 'status', ...body } },
      check: ({ body: { data } }) => [
        [
          [data.status, 'probe' in data.fields],
          ['done', person.field !== 'none'],
        ],
      ],
    },
    {
      ...{ name: 'delete', needs: DELETE, action: 'delete', expectedAnswer: undefined },
      ...{ method: 'DELETE', path: '', operation: { action: 'delete' } },
      check: ({ body: { data }, record }) => [
        [
          [data.id, data.deleted],
          [record.id, true],
        ],
      ],
    },
  ];
}

function links(cast: Cast, person: Persona, subject: Subject): readonly Write[] {
  const { shared, near, foreign } = cast.places;
  const absent = '01a1fd00-0000-7000-8000-000000000000';
  const link = linkId(subject);
  const lost = refusal(404, 'record_not_found', 'target_id');
  const sees = (target: string) =>
    person.places === 'organisation'
      ? target !== absent
      : person.places === 'own' && target === (person.name === 'near' ? near : '');
  const pairs = ['ref.place_id', link].flatMap((id) =>
    [near, foreign, absent].map((target) => [id, target] as const),
  );
  const base = { needs: WRITE, action: 'update' as const };
  const named = (id: string) => namedRelationship(person, id, 'write');
  return [
    ...pairs.map(
      ([association_id, target_id]): Write => ({
        ...{
          ...base,
          name: `link ${association_id.split('.')[0]}`,
          expectedAnswer: named(association_id),
        },
        rule: sees(target_id) ? undefined : lost,
        ...{ method: 'POST', path: `/relationships/${association_id}`, body: { target_id } },
        operation: { action: 'link', association_id, target_id },
        check: ({ body: { data } }) => [
          [
            [data.target_id, data.linked],
            [target_id, true],
          ],
        ],
      }),
    ),
    ...['ref.place_id', link].map(
      (association_id): Write => ({
        ...{
          ...base,
          name: `unlink ${association_id.split('.')[0]}`,
          expectedAnswer: named(association_id),
        },
        // A reference shows its target, any other target must be readable (D103).
        rule: association_id === link && !sees(shared) ? lost : undefined,
        ...{ method: 'DELETE', path: `/relationships/${association_id}/${shared}` },
        operation: { action: 'unlink', association_id, target_id: shared },
        check: ({ body: { data } }) => [
          [
            [data.target_id, data.linked],
            [shared, false],
          ],
        ],
      }),
    ),
  ];
}

function upsertCase(person: Persona, subject: Subject, kind: Kind): Case {
  const hit = isHit(person, kind);
  return {
    ...{ name: 'upsert', person, needs: WRITE, writes: true, about: { subject, kind } },
    expectedAnswer: inBatch(upserted(person, subject, kind)),
    send: ({ probe }) => {
      const fields = required(subject, 'Upserted');
      const operation = { action: 'upsert', target: subject.type, match: { probe }, fields };
      return {
        method: 'POST',
        path: `${recordsPath(subject)}/batch`,
        body: { operations: [operation] },
      };
    },
    check: ({ body: { data }, record }) => [
      [data.results[0].created, !hit],
      [data.results[0].id === record.id, hit],
    ],
  };
}

/** Reading is enough to comment; mentions are validated last (D57, D108). */
function commentCases(cast: Cast, person: Persona, subject: Subject, kind: Kind): readonly Case[] {
  const unsupported = subject.commentable
    ? undefined
    : refusal(404, 'comments_not_supported', 'object_type');
  const before = [objectOf(person), unsupported, recordOf(person, kind)] as const;
  const path = ({ id }: Placed) => `${recordsPath(subject)}/${encodeURIComponent(id)}/comments`;
  const base = { person, writes: true, about: { subject, kind } };
  const needs: readonly Scope[] = ['comments:write'];
  const caseOf = (name: string, mention: string | undefined, last: ExpectedAnswer): Case => ({
    ...{ ...base, needs, name, expectedAnswer: first(...before, last) },
    send: (one) => {
      const mention_user_ids = mention === undefined ? [] : [cast.users.get(mention)];
      return { method: 'POST', path: path(one), body: { body: 'Said', mention_user_ids } };
    },
    check: ({ body: { data } }) => [
      [data.author.id, cast.users.get(person.name)],
      [data.author.kind, person.kind],
    ],
  });
  const bad = refusal(400, 'validation_failed', 'mention_user_ids');
  const following = (method: 'PUT' | 'DELETE', isFollowing: boolean): Case => ({
    ...{ ...base, needs: ['comments:read'], name: `${method} follow` },
    expectedAnswer: first(...before, fine()),
    send: (one) => ({
      method,
      path: `${recordsPath(subject)}/${encodeURIComponent(one.id)}/follow`,
    }),
    check: ({ body }) => [[body.data, { following: isFollowing }]],
  });
  return [
    following('PUT', true),
    following('DELETE', false),
    caseOf('comment', undefined, fine(201)),
    caseOf('comment mentions', 'stranger', fine(201)),
    caseOf('comment mentions inactive', 'inactive', bad),
    caseOf('comment mentions agent', 'agent', bad),
  ];
}
