// Merges for every kind of person of the access matrix and every pair of owners: who may merge whose records, and whose
// values they may take.

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

const KINDS = ['mine', 'mate', 'foreign'] as const;
const PAIRS = KINDS.flatMap((own) => KINDS.map((other) => [own, other] as const));
const deals = SUBJECTS[0] as Subject;

let cast: Cast;
/** The record that stays and the one that is merged into it, by person and pair. */
const records = new Map<string, readonly [own: string, other: string]>();

beforeAll(async () => {
  cast = await openCast();
  const owners = (name: string) => ({ mine: name, mate: 'mate', foreign: 'stranger' });
  const wanted = PERSONAS.flatMap(({ name }) =>
    PAIRS.flatMap((pair) => pair.map((kind) => ({ subject: deals, owner: owners(name)[kind] }))),
  );
  const made = (await cast.fresh(wanted)).map(({ id }) => id);
  PERSONAS.forEach(({ name }, index) => {
    PAIRS.forEach((pair, place) => {
      const at = (index * PAIRS.length + place) * 2;
      records.set(`${name} ${pair}`, [made[at] as string, made[at + 1] as string]);
    });
  });
});
afterAll(() => cast?.close());

const keys = { principal: 'key', scopes: ALL_SCOPES } as const;

function expected(person: Persona, [own, other]: readonly [Kind, Kind]): ExpectedAnswer {
  const { grants } = person;
  const unless = (isSo: boolean, answer: ExpectedAnswer) => (isSo ? undefined : answer);
  const denied = (param?: string) => refusal(403, 'permission_denied', param);
  return first(
    atTheDoor(person, keys, { needs: ['records:write'] }),
    objectOf(person),
    actionOf(person, deals, 'delete'),
    actionOf(person, deals, 'update'),
    unless(person.field === 'write', denied('take.probe')),
    unless(reaches(grants.read, other), refusal(404, 'record_not_found', 'from[0].id')),
    unless(reaches(grants.read, own), refusal(404, 'record_not_found', 'record_id')),
    unless(reaches(grants.delete, other), denied('from[0]')),
    unless(reaches(grants.update, own), denied()),
    unless(reaches(grants.update, other), denied('from[0]')),
  );
}

test('each person merges the records that they may update and delete', async () => {
  let merged = 0;
  for (const person of PERSONAS) {
    const key = await cast.key(person.name, ALL_SCOPES);
    for (const pair of PAIRS) {
      const [own, other] = records.get(`${person.name} ${pair}`) ?? ['', ''];
      const from = [{ id: other, expected_version: `1-${other.slice(-12)}` }];
      const body = { from, take: { probe: other } };
      const path = `/objects/deals/records/${own}/merge`;
      const { status, json } = await cast.call(path, { method: 'POST', key, body });
      const { code, param } = json.error ?? {};
      const answer = status === 200 ? { status } : { status, code, param };
      expect(answer, `${person.name} ${pair}`).toEqual(expected(person, pair));
      if (status !== 200) continue;
      merged += 1;
      const undone = await cast.call(`/objects/deals/records/${own}/unmerge`, {
        method: 'POST',
        key,
      });
      expect(undone.json.data?.restored, JSON.stringify(undone.json)).toEqual([other]);
    }
  }
  expect(merged).toBeGreaterThan(20);
});
