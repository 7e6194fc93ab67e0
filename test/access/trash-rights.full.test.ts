// Deleted records for every kind of person of the access matrix: who lists, restores and removes those of whom.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cast, openCast } from './cast.ts';
import { PERSONAS, type Persona, SUBJECTS, type Subject } from './definition.ts';
import {
  ALL_SCOPES,
  actionOf,
  atTheDoor,
  type ExpectedAnswer,
  first,
  type Kind,
  objectOf,
  reaches,
  refusal,
} from './oracle.ts';

const KINDS: readonly Kind[] = ['mine', 'mate', 'foreign'];
const deals = SUBJECTS[0] as Subject;
const boats = SUBJECTS[2] as Subject;

let cast: Cast;
/** The ids of deleted deals by person and by whose they are: one to restore, and one to remove. */
const deleted = new Map<string, Readonly<Record<'restore' | 'purge', string>>>();

beforeAll(async () => {
  cast = await openCast();
  const admin = await cast.key('admin', ALL_SCOPES);
  const wanted = PERSONAS.flatMap(({ name }) =>
    KINDS.flatMap((kind) => {
      const owner = { mine: name, mate: 'mate', foreign: 'stranger' }[kind as 'mine'];
      return [
        { subject: deals, owner },
        { subject: deals, owner },
      ];
    }),
  );
  const ids = (await cast.fresh(wanted)).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += 100) {
    const operations = ids.slice(start, start + 100).map((id) => ({ action: 'delete', id }));
    const path = '/objects/deals/records/batch';
    const { status } = await cast.call(path, { method: 'POST', key: admin, body: { operations } });
    expect(status).toBe(200);
  }
  PERSONAS.forEach(({ name }, index) => {
    KINDS.forEach((kind, place) => {
      const at = (index * KINDS.length + place) * 2;
      deleted.set(`${name} ${kind}`, { restore: ids[at] as string, purge: ids[at + 1] as string });
    });
  });
});
afterAll(() => cast?.close());

const door = (person: Persona, scopes = ALL_SCOPES): ExpectedAnswer | undefined =>
  atTheDoor(person, { principal: 'key', scopes }, { needs: ['records:delete'] });

/** Of the object, before any record. */
function ofObject(person: Persona, subject: Subject): ExpectedAnswer {
  const kept = subject === deals ? undefined : refusal(403, 'write_not_supported');
  return first(door(person), objectOf(person), actionOf(person, subject, 'delete'), kept);
}

/** Both rights must reach the person whom the record belonged to. */
function isSeen({ grants }: Persona, kind: Kind): boolean {
  return reaches(grants.read, kind) && reaches(grants.delete, kind);
}

function told({ status, json }: { readonly status: number; readonly json: Answered }) {
  const { code, param } = json.error ?? {};
  return { status, ...(code === undefined ? {} : { code, param }) };
}

interface Answered {
  readonly error?: { readonly code: string; readonly param?: string };
}

const shown = ({ status, code, param }: ExpectedAnswer) =>
  status === 200 ? { status } : { status, code, param };

test('a page has the records of people within reach', async () => {
  for (const person of PERSONAS) {
    const key = await cast.key(person.name, ALL_SCOPES);
    const expected = ofObject(person, deals);
    const found: string[] = [];
    let cursor = '';
    do {
      const answer = await cast.call(`/objects/deals/deleted?limit=100&cursor=${cursor}`, { key });
      expect(told(answer), person.name).toEqual(shown(expected));
      found.push(...(answer.json.data ?? []).map(({ id }: { id: string }) => id));
      cursor = answer.json.pagination?.next_cursor ?? '';
    } while (cursor !== '');
    if (expected.status !== 200) continue;
    for (const kind of KINDS) {
      const { restore, purge } = deleted.get(`${person.name} ${kind}`) ?? {};
      const isThere = [restore, purge].map((id) => found.includes(id ?? ''));
      expect(isThere, `${person.name} ${kind}`).toEqual(Array(2).fill(isSeen(person, kind)));
    }
    const others = await cast.call('/objects/boats/deleted', { key });
    expect(told(others), person.name).toEqual(shown(ofObject(person, boats)));
  }
});

test.each([
  ['restore', 'POST', '/restore'],
  ['purge', 'DELETE', ''],
] as const)('%s is for the same people', async (act, method, end) => {
  for (const person of PERSONAS) {
    const key = await cast.key(person.name, ALL_SCOPES);
    for (const kind of KINDS) {
      const id = deleted.get(`${person.name} ${kind}`)?.[act];
      const unseen = refusal(404, 'record_not_found', 'record_id');
      const of = ofObject(person, deals);
      const expected = of.status !== 200 ? of : isSeen(person, kind) ? { status: 200 } : unseen;
      const answer = await cast.call(`/objects/deals/deleted/${id}${end}`, { key, method });
      expect(told(answer), `${person.name} ${kind}`).toEqual(shown(expected));
    }
  }
});
