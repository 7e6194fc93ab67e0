// The same letters are the same text, composed or not (D376): in `q`, conditions, unique fields, matches and files.
// The stored and the returned text is the one that was sent. Without regard to case there is one small sigma (D375).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importing } from '../../src/import/import-job.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import { openJobs, sentFile } from './job-world.ts';

const NAMES = {
  objects: {
    names: {
      ...{ name: 'Names', singular_name: 'Name', owned: false, display_field: 'name' },
      fields: {
        name: { type: 'text', indexed: true },
        code: { type: 'text', unique: true },
        email: { type: 'email', unique: true },
        note: { type: 'long_text' },
      },
    },
  },
};
const COMPOSED = 'Zoë Ångström';
const PARTS = COMPOSED.normalize('NFD');

let world: World;
let ada: Client;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorldWith(mergePatch(ACME, NAMES) as object);
  ada = await world.as('ada');
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

async function make(fields: object): Promise<string> {
  const { status, body } = await ada.post('/objects/names/records', { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function found(question: object): Promise<readonly string[]> {
  const fields = ['name'];
  const { status, body } = await ada.post('/objects/names/records/query', { ...question, fields });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map((one: { fields: { name: string } }) => one.fields.name).sort();
}

const byName = (op: string, value: unknown) => found({ where: { field: 'name', op, value } });

describe('conditions', () => {
  const BOTH = [COMPOSED, PARTS].sort();
  beforeAll(async () => {
    for (const name of [COMPOSED, PARTS]) await make({ name, note: name });
  });

  test.each([COMPOSED, PARTS])('on %j find both', async (text) => {
    expect(await found({ query: text.slice(-5).toUpperCase() })).toEqual(BOTH);
    expect(await found({ query: text })).toEqual(BOTH);
    for (const op of ['eq', 'contains', 'starts_with', 'ends_with', 'gte', 'lte'])
      expect(await byName(op, text), op).toEqual(BOTH);
    for (const op of ['gt', 'lt', 'ne']) expect(await byName(op, text), op).toEqual([]);
    expect(await byName('in', ['x', text])).toEqual(BOTH);
    expect(await byName('between', [text, text])).toEqual(BOTH);
    expect(await found({ where: { field: 'note', op: 'eq', value: text } })).toEqual(BOTH);
  });

  test('a letter of its own stays one', async () => {
    expect(await byName('contains', 'Zoe')).toEqual([]);
  });
});

describe('a small sigma is one letter at any place', () => {
  const GREEK = ['ΟΔΥΣΣΕΥΣ ΑΕ', 'Οδυσσεύς ΑΕ'];
  beforeAll(async () => {
    for (const name of GREEK) await make({ name });
  });

  test.each([
    [{ query: 'ΟΔΥΣΣ' }, GREEK],
    [{ query: 'οδυσς' }, GREEK],
    [{ query: 'ευς αε' }, ['ΟΔΥΣΣΕΥΣ ΑΕ']],
    [{ query: 'ΕΎΣ ΑΕ' }, ['Οδυσσεύς ΑΕ']],
    [{ where: { field: 'name', op: 'contains', value: 'ΔΥΣΣ' } }, GREEK],
    [{ where: { field: 'name', op: 'starts_with', value: 'ΟΔΥΣΣ' } }, GREEK],
    [{ where: { field: 'name', op: 'starts_with', value: 'Οδυσ' } }, GREEK],
    [{ where: { field: 'name', op: 'ends_with', value: 'Σ ΑΕ' } }, GREEK],
  ])('%j', async (question, expected) => {
    expect(await found(question)).toEqual([...expected].sort());
  });
});

describe('unique fields', () => {
  test('is taken in either form, and stays as it was sent', async () => {
    const id = await make({ code: PARTS });
    const taken = await ada.post('/objects/names/records', { fields: { code: COMPOSED } });
    expect([taken.status, taken.body.error]).toMatchObject([
      409,
      { code: 'conflict', param: 'fields.code', details: { existing_record_id: id } },
    ]);
    const { body } = await ada.get(`/objects/names/records/${id}`);
    expect(body.data.fields.code).toBe(PARTS);
    const composed = await ada.patch(`/objects/names/records/${id}`, {
      fields: { code: COMPOSED },
    });
    expect(composed.body.data.fields.code).toBe(COMPOSED);
  });

  test('is an address in either form, with either sigma', async () => {
    await make({ email: 'zoë@example.com' });
    await make({ email: 'ΟΔΥΣΣΕΥΣ@example.com' });
    for (const email of ['ZOE\u0308@example.com', 'οδυσσευσ@example.com']) {
      const taken = await ada.post('/objects/names/records', { fields: { email } });
      expect([taken.status, taken.body.error.code], email).toEqual([409, 'conflict']);
      const where = { field: 'email', op: 'eq', value: email };
      expect(await found({ where }), email).toHaveLength(1);
    }
  });
});

const upsertOf = (code: string, fields: object = {}) => {
  return { action: 'upsert', target: 'names', match: { code }, fields };
};
const batch = (operations: readonly object[]) =>
  ada.post('/objects/names/records/batch', { operations });

describe('a match', () => {
  test('finds the other form', async () => {
    const id = await make({ code: 'é1' });
    const { body } = await batch([upsertOf('e\u03011', { name: 'matched' })]);
    expect(body.data.results[0]).toMatchObject({ id, created: false });
    expect((await ada.get(`/objects/names/records/${id}`)).body.data.fields.code).toBe('é1');
  });

  test('of two forms in one batch is the same record twice', async () => {
    const made = await batch([upsertOf('é2'), upsertOf('e\u03012')]);
    expect([made.status, made.body.error.code]).toEqual([409, 'conflict']);
  });

  test('of both forms at once makes one record', async () => {
    const forms = ['é3', 'e\u03013', 'é3', 'e\u03013'];
    const answers = await Promise.all(forms.map((form) => batch([upsertOf(form)])));
    expect(new Set(answers.map(({ body }) => body.data.results[0].id)).size).toBe(1);
  });
});

test('a file updates the record that has the other form, and one record for both', async () => {
  const id = await make({ code: 'Ü 7' });
  await jobs.work(importing(world.database.db));
  const file_id = await sentFile(world, ada, 'Code,Name\nU\u0308 7,updated\nö 8,a\no\u0308 8,b\n');
  const mapping = {
    object_type: 'names',
    match: ['code'],
    columns: { Code: { field: 'code' }, Name: { field: 'name' } },
  };
  const { body, status } = await ada.post('/imports', { file_id, mapping });
  expect(status, JSON.stringify(body)).toBe(202);
  await jobs.ended(ada, body.data.id);
  await jobs.stop();
  expect((await ada.get(`/objects/names/records/${id}`)).body.data.fields.name).toBe('updated');
  expect(await found({ where: { field: 'code', op: 'eq', value: 'ö 8' } })).toEqual(['b']);
});
