// Reads of the access matrix: lists, searches, aggregates, single records, relationships and
// comments, with every use of a guarded field.

import { uuidv7 } from 'uuidv7';
import { type Case, idsOf, query, recordsPath, sorted } from './case.ts';
import { type Cast, type Placed, wordOf } from './cast.ts';
import { inverseId, linkId, membersOf, type Persona, type Subject } from './definition.ts';
import {
  fieldsOf,
  first,
  KINDS,
  type Kind,
  namedRelationship,
  objectOf,
  reaches,
  recordOf,
  refusal,
  relationshipsOf,
  selectedField,
} from './oracle.ts';
import { groupedRows, questionRows } from './question-cases.ts';
import {
  type Cursors,
  cursorOf,
  type Items,
  lists,
  type Row,
  type Selection,
} from './selection.ts';

/** The person who walked the pages whose cursors everybody tries. */
export const CURSOR_MAKER = 'org_all-write';

const READ = ['records:read'] as const;
const count = { name: 'n', op: 'count' };

/** The records of a subject this person may read. */
export function visible(cast: Cast, person: Persona, subject: Subject): readonly Placed[] {
  const { grants, name } = person;
  const kindOf = (owner: string): Kind => {
    if (owner === name) return 'mine';
    return membersOf('South').includes(owner) ? 'foreign' : 'mate';
  };
  const entries = [...cast.records(subject)];
  return entries.filter(([owner]) => reaches(grants.read, kindOf(owner))).map(([, one]) => one);
}

/** Reads without a record: one case for each use of a field. */
export function selectionCases(
  cast: Cast,
  cursors: Cursors,
  person: Persona,
  subject: Subject,
): readonly Case[] {
  const seen = visible(cast, person, subject);
  const mate = cast.record(subject, 'mate', person);
  const found = seen.filter(({ id }) => id === mate.id);
  const isOwnWalk = person.name === CURSOR_MAKER && subject.type === 'deals';
  const selection = { person, cursors, seen, found, mate, isOwnWalk };
  const path = recordsPath(subject);
  const limit = 100;
  const post = (to: string, body: object) => () =>
    ({ method: 'POST', path: path + to, body: { limit, ...body } }) as const;
  const caseOf = (
    [name, , expectedAnswer, check]: Row,
    send: Case['send'],
    object?: string,
  ): Case => ({
    ...{ name, person, needs: READ, send, about: { subject, kind: 'mine' } },
    expectedAnswer: first(objectOf(person, object), expectedAnswer),
    ...(check === undefined ? {} : { check: ({ body }) => check(body.data, body) }),
  });
  return [
    ...listRows(selection).map((row) => {
      const parameters = { limit: String(limit), ...(row[1] as Record<string, string>) };
      return caseOf(row, () => ({ path: path + query(parameters) }));
    }),
    ...searchRows(selection).map((row) => caseOf(row, post('/search', row[1]))),
    ...aggregateRows(selection).map((row) => caseOf(row, post('/aggregate', row[1]))),
    ...questionRows(cast, selection).map((row) => caseOf(row, post('/query', row[1]))),
    ...questionRows(cast, selection).map((row) => {
      const queries = [{ object_type: subject.type, limit, ...row[1] }];
      const send = () => ({ method: 'POST', path: '/query', body: { queries } }) as const;
      return caseOf(amongOthers(row), send, 'queries[0].object_type');
    }),
    ...groupedRows(selection).map((row) => caseOf(row, post('/aggregate/query', row[1]))),
    ...groupedRows(selection).map((row) => {
      const queries = [{ object_type: subject.type, limit, ...row[1] }];
      const send = () => ({ method: 'POST', path: '/aggregate', body: { queries } }) as const;
      return caseOf(amongOthers(row), send, 'queries[0].object_type');
    }),
  ];
}

/** The same question as the first one of a request that may have questions about other objects. */
function amongOthers([name, sent, expectedAnswer, check]: Row): Row {
  const param = `queries[0].${expectedAnswer?.param}`;
  const expected = expectedAnswer === undefined ? undefined : { ...expectedAnswer, param };
  const row = [`objects ${name}`, sent, expected] as const;
  return check === undefined ? row : [...row, ([page]) => check(page.data, page)];
}

function listRows(selection: Selection): readonly Row[] {
  const { person, seen, found, mate, cursors } = selection;
  const uses = (param: string) => selectedField(person, param);
  const json = (param: string) => selectedField(person, param, 'jsonb');
  const unknown = (param: string) => refusal(400, 'invalid_filter', param);
  const shown = (...keys: string[]) => lists(seen, person.field === 'none' ? [] : keys);
  const isNull = 'filter[probe][is_null]';
  return [
    ['list', {}, undefined, lists(seen)],
    ['list fields', { fields: 'probe' }, undefined, shown('probe')],
    ['list fields jsonb', { fields: 'extra' }, undefined, shown('custom_fields')],
    ['list fields unknown', { fields: 'nope' }, unknown('fields')],
    ['list sort', { sort: '-probe' }, uses('sort'), lists(seen)],
    ['list sort jsonb', { sort: 'extra' }, json('sort')],
    ['list filter', { 'filter[probe]': mate.probe }, uses('filter[probe]'), lists(found)],
    ['list filter null', { [isNull]: 'true' }, uses(isNull), lists([])],
    ['list filter jsonb', { 'filter[extra]': 'x' }, json('filter[extra]')],
    ['list filter unknown', { 'filter[nope]': 'x' }, unknown('filter[nope]')],
    ['list q', { q: mate.title }, undefined, lists(found)],
    ['list cursor', { cursor: cursors.list }, cursorOf(selection)],
  ];
}

function searchRows(selection: Selection): readonly Row[] {
  const { person, seen, found, mate, cursors } = selection;
  const uses = (param: string) => selectedField(person, param);
  const keys = ['probe', 'rank'];
  const shown = lists(seen, person.field === 'none' ? [] : keys);
  const filter = uses('filters.probe');
  return [
    ['search', {}, undefined, lists(seen)],
    ['search fields', { fields: keys }, undefined, shown],
    ['search sort', { sort: [{ field: 'probe' }] }, uses('sort[0].field'), lists(seen)],
    ['search filter', { filters: { probe: mate.probe } }, filter, lists(found)],
    ['search filter no match', { filters: { probe: 'none' } }, filter, lists([])],
    [
      'search filter jsonb',
      { filters: { extra: 'x' } },
      selectedField(person, 'filters.extra', 'jsonb'),
    ],
    ['search query', { query: mate.title }, undefined, lists(found)],
    ['search cursor', { cursor: cursors.search }, cursorOf(selection)],
  ];
}

function aggregateRows(selection: Selection): readonly Row[] {
  const { person, seen, found, mate, cursors } = selection;
  const uses = (param: string) => selectedField(person, param);
  const json = (param: string) => selectedField(person, param, 'jsonb');
  const counted = (records: readonly Placed[]) => (data: Items) =>
    [[data, [{ n: records.length }]]] as const;
  const metrics = [count];
  const of = (field: string, op = 'count') => ({ metrics: [{ name: 'n', op, field }] });
  const total = seen.reduce((sum, { rank }) => sum + rank, 0);
  const summed = [{ n: seen.length === 0 ? null : total }];
  const groups = sorted(seen.map(({ probe }) => probe));
  const measured = uses('metrics[0].field');
  const filters = { probe: mate.probe };
  const cursor = { metrics, group_by: ['id'], cursor: cursors.aggregate };
  return [
    ['aggregate', { metrics }, undefined, counted(seen)],
    [
      'aggregate group',
      { metrics, group_by: ['probe'] },
      uses('group_by[0]'),
      (data) => [[sorted(data.map(({ probe }) => probe)), groups]],
    ],
    ['aggregate sum', of('rank', 'sum'), measured, (data) => [[data, summed]]],
    ['aggregate values', of('probe'), measured, counted(seen)],
    ['aggregate filter', { metrics, filters }, uses('filters.probe'), counted(found)],
    ['aggregate group jsonb', { metrics, group_by: ['extra'] }, json('group_by[0]')],
    ['aggregate jsonb', of('extra'), json('metrics[0].field')],
    ['aggregate query', { metrics, query: mate.title }, undefined, counted(found)],
    ['aggregate cursor', cursor, cursorOf(selection)],
  ];
}

/** Reads of one record, of any owner. */
export function recordReadCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  return KINDS.flatMap((kind) => {
    const path = ({ id }: Placed) => `${recordsPath(subject)}/${encodeURIComponent(id)}`;
    const base = { person, about: { subject, kind }, needs: READ };
    const expectedAnswer = first(objectOf(person), recordOf(person, kind));
    const keys = person.field === 'none' ? ['id'] : ['id', 'probe'];
    const relationships = relationshipsOf(person, subject, linkId(subject));
    return [
      {
        ...{ ...base, name: 'get', expectedAnswer, check: wholeRecord(cast, person, subject) },
        send: (one) => ({ path: path(one) }),
      },
      {
        ...{ ...base, name: 'get fields', expectedAnswer },
        send: (one) => ({ path: `${path(one)}?fields=probe,id` }),
        check: ({ body: { data } }) => [[sorted(Object.keys(data.fields)), keys]],
      },
      {
        ...{ ...base, name: 'relationships', expectedAnswer },
        send: (one) => ({ path: `${path(one)}/relationships` }),
        check: ({ body: { data } }) => [[idsOf(data), relationships]],
      },
      {
        ...{ ...base, name: 'file of a field without files' },
        expectedAnswer: first(objectOf(person), refusal(404, 'record_not_found', 'file_id')),
        send: (one) => ({ path: `${path(one)}/files/probe/${uuidv7()}` }),
      },
      {
        ...{ ...base, name: 'history', expectedAnswer },
        send: (one) => ({ path: `${path(one)}/history` }),
        check: ({ body: { data } }) => [[data, []]],
      },
      {
        ...{ ...base, name: 'bundle', expectedAnswer },
        send: (one) => ({ path: `${path(one)}/bundle` }),
        check: (seen) => wholeBundle(cast, person, subject)(seen),
      },
      ...linkedCases(cast, person, { subject, kind }),
      commentsCase(person, subject, kind, (one) => `${path(one)}/comments`),
      {
        ...commentsCase(person, subject, kind, (one) => `${path(one)}/follow`),
        name: 'follow',
        check: ({ body }) => [[body.data, { following: false }]],
      },
      {
        ...commentsCase(person, subject, kind, (one) => `${path(one)}/mentionable`),
        ...{ name: 'mentionable', needs: ['comments:write'] },
      },
    ] satisfies readonly Case[];
  });
}

function wholeRecord(
  { places }: Cast,
  person: Persona,
  subject: Subject,
): NonNullable<Case['check']> {
  const shown = (value: unknown) => (person.field === 'none' ? undefined : value);
  return ({ body: { data }, record: { id, title, probe } }) => [
    [sorted(Object.keys(data.fields)), fieldsOf(person, subject)],
    [
      [data.id, data.display, data.object_type],
      [id, title, subject.type],
    ],
    [data.fields.probe, shown(probe)],
    [data.fields.custom_fields, shown({ extra: probe })],
    [data.fields.place_id, shown(places.shared)],
  ];
}

/** Comments need their scope, links the right to read all records on the other side; no work item has a parent. */
function wholeBundle(cast: Cast, person: Persona, subject: Subject): NonNullable<Case['check']> {
  const isOfItself = (id: string) => id.endsWith('.parent_work_item_id');
  const links = relationshipsOf(person, subject, linkId(subject)).filter((id) => {
    return (isOfItself(id) ? person.grants.read : person.places) === 'organisation';
  });
  const places = links.filter((id) => !isOfItself(id)).map(() => cast.places.shared);
  return (seen) => {
    const { data } = seen.body;
    const mayComment = subject.commentable && seen.scopes.includes('comments:read');
    return [
      ...wholeRecord(cast, person, subject)({ ...seen, body: { data: data.record } }),
      [data.complete, true],
      [data.comments === null, !mayComment],
      [data.history, { data: [], has_more: false }],
      [idsOf(data.links), sorted(links)],
      [data.links.flatMap(linkedIds), places],
    ];
  };
}

function linkedIds({ data }: { readonly data: Items }): readonly unknown[] {
  return data.map(({ id }) => id);
}

/** The linked places, which takes the right to read all of them (§4.4). */
function linkedCases(
  cast: Cast,
  person: Persona,
  about: { readonly subject: Subject; readonly kind: Kind },
): readonly Case[] {
  const { subject, kind } = about;
  const denied = refusal(403, 'permission_denied', 'association_id');
  return ['ref.place_id', linkId(subject)].map((id) => ({
    ...{ person, about, needs: READ, name: `linked ${id.split('.')[0]}` },
    expectedAnswer: first(
      objectOf(person),
      namedRelationship(person, id, 'read'),
      person.places === 'organisation' ? undefined : denied,
      recordOf(person, kind),
    ),
    send: (one) => {
      return { path: `${recordsPath(subject)}/${encodeURIComponent(one.id)}/relationships/${id}` };
    },
    check: ({ body }) => [
      [idsOf(body.data), [cast.places.shared]],
      [body.object_type, 'places'],
      [body.data.some((item: object) => 'fields' in item || 'version' in item), false],
    ],
  }));
}

/** Object type, then whether it has comments, then the record (D57). */
function commentsCase(
  person: Persona,
  subject: Subject,
  kind: Kind,
  path: (record: Placed) => string,
): Case {
  const unsupported = subject.commentable
    ? undefined
    : refusal(404, 'comments_not_supported', 'object_type');
  return {
    ...{ name: 'comments', person, about: { subject, kind } },
    needs: ['comments:read'],
    expectedAnswer: first(objectOf(person), unsupported, recordOf(person, kind)),
    send: (one) => ({ path: path(one) }),
    check: ({ body }) => [[Array.isArray(body.data), true]],
  };
}

/** The other side of a reference: a reader of the place still needs all records of the subject. */
export function inverseCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  const id = inverseId(subject);
  const { grants, places, field } = person;
  const nowhere = refusal(404, 'record_not_found', 'association_id');
  const denied = refusal(403, 'permission_denied', 'association_id');
  const path = `/objects/places/records/${cast.places.shared}/relationships`;
  const place = first(
    places === null ? refusal(404, 'object_not_available', 'object_type') : undefined,
    places === 'own' ? refusal(404, 'record_not_found', 'record_id') : undefined,
  );
  const shows = grants.read !== null && field !== 'none';
  return [
    {
      ...{ name: 'linked inv', person, needs: READ, about: { subject, kind: 'mine' } },
      expectedAnswer: first(
        places === null ? place : undefined,
        grants.read === null ? nowhere : undefined,
        grants.read !== 'organisation' || field === 'none' ? denied : undefined,
        place.status === 200 ? undefined : place,
      ),
      send: () => ({ path: `${path}/${id}?limit=100` }),
      check: ({ body }) => [[idsOf(body.data), idsOf(visible(cast, person, subject))]],
    },
    {
      ...{ name: 'relationships inv', person, needs: READ, about: { subject, kind: 'mine' } },
      expectedAnswer: place,
      send: () => ({ path }),
      check: ({ body }) => {
        const ids = body.data.map((one: { readonly id: string }) => one.id);
        return [
          [
            [ids.includes(id), ids.includes(linkId(subject))],
            [shows, grants.read !== null],
          ],
        ];
      },
    },
  ];
}

/** `GET /search` by the title and by a guarded field of each kind of record. */
export function searchCases(cast: Cast, person: Persona, subjects: readonly Subject[]) {
  const searched = subjects.filter((subject) => subject.searched);
  const base = { person, needs: READ, expectedAnswer: first() };
  const hits = (records: readonly Placed[]): NonNullable<Case['check']> => {
    return ({ body: { data } }) => [
      [idsOf(data), idsOf(records)],
      [
        sorted(data.map(({ display }: { display: unknown }) => display)),
        sorted(records.map(({ title }) => title)),
      ],
    ];
  };
  const ofKind = (kind: Kind): readonly Case[] => {
    const records = searched.map((subject) => cast.record(subject, kind, person));
    const within = reaches(person.grants.read, kind);
    const title = records[0]?.title ?? '';
    return [
      {
        ...{ ...base, name: `search all ${kind}`, check: hits(within ? records : []) },
        send: () => ({ path: `/search?q=${encodeURIComponent(title)}` }),
      },
      ...records.map(
        (record): Case => ({
          ...{ ...base, name: `search all guarded ${kind}` },
          send: () => ({ path: `/search?q=${encodeURIComponent(record.probe)}` }),
          check: hits(within && person.field !== 'none' ? [record] : []),
        }),
      ),
    ];
  };
  const nothing = wordOf('nbq', 'nothing');
  return [
    ...(['mine', 'mate', 'foreign'] as const).flatMap(ofKind),
    {
      ...base,
      name: 'search all nothing',
      send: () => ({ path: `/search?q=${nothing}` }),
      check: hits([]),
    },
  ] satisfies readonly Case[];
}
