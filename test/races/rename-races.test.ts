// Renames while clients write and read: every answer is that of one revision, acknowledged writes are there, and no
// value is stored under a key that is no longer in force.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Row } from '../../src/postgres/db.ts';
import type { Answer, Client } from '../client.ts';
import { openThings, START, type Things } from '../things-world.ts';
import { timesOf } from '../until.ts';

const RENAMES = timesOf(8);

let things: Things;
let ada: Client;

beforeAll(async () => {
  things = await openThings();
  ({ ada } = things);
});
afterAll(() => things?.world.close());

/** The keys in force after so many renames, and the document that has them. */
function keysAt(time: number) {
  const [object, field, link] =
    time % 2 === 0 ? ['things', 'code', 'pairs'] : ['items', 'mark', 'couples'];
  return { object, field, link } as const;
}

function documentAt(time: number): unknown {
  const { object, field, link } = keysAt(time);
  const before = keysAt(time + 1);
  const renamed = (key: string) => (time === 0 ? {} : { renamed_from: key });
  return mergePatch(START, {
    objects: {
      things: null,
      [object]: {
        ...{
          name: 'Things',
          singular_name: 'Thing',
          display_field: 'name',
          ...renamed(before.object),
        },
        fields: {
          ...{ name: { type: 'text' }, note: { type: 'text' } },
          [field]: { type: 'text', unique: true, ...renamed(before.field) },
        },
      },
    },
    relationships: {
      [link]: {
        ...{ name: 'Pairs', kind: 'link', from: object, to: 'contacts' },
        ...{ cardinality: 'many_to_many', ...renamed(before.link) },
      },
    },
    roles: {
      rep: { objects: { things: null, [object]: { create: 'own', read: 'own', update: 'own' } } },
    },
  });
}

/** Send it with the keys of one definition, then of the other, until one is in force. */
async function sendWith(
  state: { at: number },
  send: (keys: ReturnType<typeof keysAt>) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send(keysAt(state.at));
    if (answer.status < 300) return answer;
    expect([400, 404, 503], JSON.stringify(answer.body)).toContain(answer.status);
    state.at += 1;
  }
}

test('every write that was acknowledged is there, by the keys in force', async () => {
  await things.apply(documentAt(0));
  const { body: contact } = await ada.post('/objects/contacts/records', { fields: { name: 'K' } });
  const ended = new AbortController();
  const written = new Map<string, string>();
  const work = [0, 1, 2, 3].map(async (writer) => {
    const state = { at: 0 };
    for (let index = 0; !ended.signal.aborted; index += 1) {
      const value = `value ${writer} ${index}`;
      const headers = writer < 2 ? { 'idempotency-key': `key-${writer}-${index}` } : {};
      const { body } = await sendWith(state, ({ object, field }) =>
        ada.post(`/objects/${object}/records`, { fields: { name: 'n', [field]: value } }, headers),
      );
      await sendWith(state, ({ object, link }) =>
        ada.post(`/objects/${object}/records/${body.data.id}/relationships/link.${link}`, {
          target_id: contact.data.id,
        }),
      );
      const changed = `${value} again`;
      await sendWith(state, ({ object, field }) =>
        ada.patch(`/objects/${object}/records/${body.data.id}`, { fields: { [field]: changed } }),
      );
      written.set(body.data.id, changed);
    }
  });
  for (let time = 1; time <= RENAMES; time += 1) await things.apply(documentAt(time));
  ended.abort();
  await Promise.all(work);

  const { object, field, link } = keysAt(RENAMES);
  const { rows } = things.world;
  expect(written.size).toBeGreaterThan(RENAMES);
  const stored = await rows('select id, code, version::integer from things where code ~ $1', [
    '^value .* again$',
  ]);
  expect(new Map(stored.map(({ id, code }) => [id, code]))).toEqual(written);
  expect(new Set(stored.map(({ version }) => version))).toEqual(new Set([2]));
  const links = await rows('select distinct relationship from _links');
  expect(links).toEqual([{ relationship: link }]);
  const [counted] = await rows('select count(*)::integer as links from _links');
  expect(counted).toEqual({ links: written.size });
  const answers = await rows('select object_type, fields from _idempotency');
  const isCurrent = (row: Row) =>
    row.object_type === object && (row.fields as string[]).includes(field);
  expect(answers.filter((row) => !isCurrent(row))).toEqual([]);
  const [id, value] = [...written][0] as [string, string];
  const shown = await ada.get(`/objects/${object}/records/${id}`);
  expect(shown.body.data.fields).toMatchObject({ [field]: value });
});
