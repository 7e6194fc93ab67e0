// Phone numbers are the same when their digits are (D267): in filters, unique fields, matches and look-ups of files.
// They keep their notation, which decides order and ranges.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importing } from '../../src/import/import-job.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import { openJobs, sentFile } from './job-world.ts';

const LINES = {
  objects: {
    lines: {
      name: 'Lines',
      singular_name: 'Line',
      owned: false,
      display_field: 'label',
      fields: {
        label: { type: 'text' },
        number: { type: 'phone', unique: true },
        fax: { type: 'phone', indexed: true },
        line_id: { type: 'reference', reference_object_type: 'lines' },
      },
    },
  },
};

let world: World;
let ada: Client;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorldWith(mergePatch(ACME, LINES) as object);
  ada = await world.as('ada');
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

async function make(fields: object): Promise<string> {
  const { status, body } = await ada.post('/objects/lines/records', { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function labelsOf(filters: object): Promise<readonly string[]> {
  const path = '/objects/lines/records/search';
  const sort = [{ field: 'label', direction: 'asc' }];
  const { status, body } = await ada.post(path, { filters, sort, limit: 100 });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ display }: { display: string }) => display);
}

describe('filters', () => {
  beforeAll(async () => {
    const faxes = ['(503) 555-9831', '503.555.9831', '+1 503 555 9831', '503 555 9832', null];
    for (const [index, fax] of faxes.entries()) await make({ label: `f${index}`, fax });
  });

  test.each([
    [{ eq: '5035559831' }, ['f0', 'f1']],
    [{ eq: '1 (503) 555-9831' }, ['f2']],
    [{ in: ['503-555-9831', '+1 5035559831'] }, ['f0', 'f1', 'f2']],
    [{ ne: '503 555 9831' }, ['f2', 'f3', 'f4']],
    [{ eq: 'nobody' }, []],
    [{ is_null: true }, ['f4']],
    // By their text: "(" is before "+", and that before digits.
    [{ lt: '+2' }, ['f0', 'f2']],
    [{ gte: '503 555 9832' }, ['f1', 'f3']],
  ])('%j', async (condition, expected) => {
    expect(await labelsOf({ fax: condition })).toEqual(expected);
  });

  test('of a query string', async () => {
    const { body } = await ada.get('/objects/lines/records?filter[fax][in]=5035559832,15035559831');
    expect(body.data).toHaveLength(2);
  });
});

test('a unique number is taken however it is written', async () => {
  const id = await make({ label: 'u', number: '+49 (0)30 / 1234' });
  const taken = await ada.post('/objects/lines/records', { fields: { number: '49 030 1234' } });
  expect([taken.status, taken.body.error]).toMatchObject([
    409,
    { code: 'conflict', param: 'fields.number', details: { existing_record_id: id } },
  ]);
  await make({ label: 'v', number: '+49 30 1234' });
  const other = await make({ label: 'w' });
  const moved = await ada.patch(`/objects/lines/records/${other}`, {
    fields: { number: '493 01234' },
  });
  expect([moved.status, moved.body.error.code]).toEqual([409, 'conflict']);
  const rewritten = await ada.patch(`/objects/lines/records/${id}`, {
    fields: { number: '490301234' },
  });
  expect([rewritten.status, rewritten.body.data.fields.number]).toEqual([200, '490301234']);
});

const upsertOf = (number: string, fields: object = {}) => {
  return { action: 'upsert', target: 'lines', match: { number }, fields };
};

const batch = (operations: readonly object[]) =>
  ada.post('/objects/lines/records/batch', { operations });

describe('a match', () => {
  test('finds the number; how it is written stays, unless fields say otherwise', async () => {
    const id = await make({ label: 'm', number: '(030) 777-1' });
    const found = await batch([upsertOf('030.7771', { label: 'n' })]);
    expect(found.body.data.results[0]).toMatchObject({ id, created: false });
    const numberOf = async () => {
      const { body } = await ada.get(`/objects/lines/records/${id}`);
      return [body.data.fields.label, body.data.fields.number];
    };
    expect(await numberOf()).toEqual(['n', '(030) 777-1']);
    await batch([upsertOf('0307771', { number: '030 7771' })]);
    expect(await numberOf()).toEqual(['n', '030 7771']);
    const other = await batch([upsertOf('0307771', { number: '030 7772' })]);
    expect([other.status, other.body.error.param]).toEqual([400, 'operations[0].match.number']);
  });

  test('of two in one batch that mean the same record is refused', async () => {
    const made = await batch([upsertOf('888 1'), upsertOf('88-81')]);
    expect([made.status, made.body.error.code]).toEqual([409, 'conflict']);
    expect(await labelsOf({ number: '8881' })).toEqual([]);
  });

  test('at the same time as others makes one record', async () => {
    const forms = ['99 01', '9-901', '(99)01', '+9901', '99.01', '9/901'];
    const answers = await Promise.all(forms.map((form) => batch([upsertOf(form)])));
    const results = answers.map(({ body }) => body.data.results[0]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
  });
});

describe('a file', () => {
  async function imported(text: string, mapping: object, dry_run = false) {
    await jobs.work(importing(world.database.db));
    const file_id = await sentFile(world, ada, text);
    const { body, status } = await ada.post('/imports', { file_id, mapping, dry_run });
    expect(status, JSON.stringify(body)).toBe(202);
    const { counts } = await jobs.ended(ada, body.data.id);
    await jobs.stop();
    return counts;
  }

  test('updates the record with the number and refers to it', async () => {
    const id = await make({ label: 'i', number: '(02) 11-22' });
    const mapping = {
      object_type: 'lines',
      match: ['number'],
      columns: {
        number: { field: 'number' },
        label: { field: 'label' },
        parent: { field: 'line_id', lookup: { object_type: 'lines', field: 'number' } },
      },
    };
    const text = 'number,label,parent\n02.1122,j,\n02 1123,k,021122\n02-1123,l,02/1122\n';
    expect(await imported(text, mapping, true)).toMatchObject({ rejected: 0 });
    const counts = await imported(text, mapping);
    expect(counts).toMatchObject({ created: 1, updated: 2, rejected: 0 });
    const { body } = await ada.get(`/objects/lines/records/${id}`);
    expect(body.data.fields).toMatchObject({ label: 'j', number: '(02) 11-22' });
    const [{ id: child }] = (await ada.get('/objects/lines/records?filter[number]=021123')).body
      .data;
    const { fields } = (await ada.get(`/objects/lines/records/${child}`)).body.data;
    expect(fields).toMatchObject({ label: 'l', line_id: id });
  });
});
