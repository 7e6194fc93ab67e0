// Cases of the change feed in the access matrix: the creations of all records of an object, and the records that come
// with them, compared with the records that the person may read.

import type { Case } from './case.ts';
import { query, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import type { Persona, Subject } from './definition.ts';
import { first, objectOf } from './oracle.ts';
import { visible } from './read-cases.ts';

// biome-ignore lint/suspicious/noExplicitAny: events of several forms
type Event = any;

/** The placed records of a subject among the events: cases that write make others. */
function changeCase(
  cast: Cast,
  person: Persona,
  subject: Subject,
  more: Readonly<Record<string, string>>,
): Case {
  const placed = new Set([...cast.records(subject)].map(([, { id }]) => id));
  const seen = visible(cast, person, subject).map(({ id }) => id);
  const isRecord = more.include !== undefined;
  const of = { object_type: subject.type, type: 'record.created', cursor: 'start', limit: '1000' };
  return {
    ...{ name: isRecord ? 'changes record' : 'changes', person, anyOf: true },
    needs: ['records:read', 'comments:read'],
    expectedAnswer: first(objectOf(person)),
    about: { subject, kind: 'mine' },
    send: () => ({ path: `/changes${query({ ...of, ...more })}` }),
    check({ body, scopes }) {
      const events = (body.data as Event[]).filter(({ record_id }) => placed.has(record_id));
      const shown = scopes.includes('records:read') ? seen : [];
      const fields = events.map(({ record }) => Object.hasOwn(record?.fields ?? {}, 'probe'));
      const mayRead = person.field !== 'none';
      return [
        [events.map(({ record_id }) => record_id).sort(), sorted(shown)],
        [fields.every((has) => has === (isRecord && mayRead)), true],
      ];
    },
  };
}

export function changeCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  return [{}, { include: 'record', limit: '100' }].map((more) =>
    changeCase(cast, person, subject, more as Readonly<Record<string, string>>),
  );
}
