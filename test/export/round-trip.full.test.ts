// Export and import: after the import, an empty workspace of the same definition holds the same data, and a second
// import has no change to make.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExportWorld, FORMULAS, openExportWorld } from './export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await openExportWorld();
});
afterAll(() => world?.close());

/** Imports of CSV leave out the spaces around a text (D770); a custom field without a value has no key. */
function trimmed(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record), (key, value: unknown) => {
    if (typeof value !== 'string' || value === '' || key === 'x_json') return value;
    return value.trim() || (key.startsWith('x_') ? undefined : null);
  });
}

test.each([...['csv', 'jsonl', 'xlsx', 'csv names', 'xlsx names']] as const)(
  '%s: equal records of every type',
  async (form) => {
    if (form.startsWith('xlsx')) await shorten();
    for (const objectType of ['parts', 'gadgets', 'knots', 'work_items', 'ledgers']) {
      const { before, after, rejections } = await world.move(objectType, form);
      expect([objectType, rejections]).toEqual([objectType, []]);
      expect(after).toEqual(form === 'jsonl' ? before : before.map(trimmed));
      expect(before.length).toBeGreaterThan(objectType === 'ledgers' ? -1 : 1);
    }
    const { copies, sample } = world;
    const written = `select count(*) as rows from ${copies[form].schema}._audit`;
    const [{ rows: before } = {}] = await sample.own.rows(written);
    for (const objectType of ['gadgets', 'knots', 'work_items']) await world.move(objectType, form);
    expect(await sample.own.rows(written)).toEqual([{ rows: before }]);
  },
);

/** A text of more characters than a cell of Excel has is refused, and not cut. */
async function shorten(): Promise<void> {
  const { own, model } = world.sample;
  const table = `${model.schema}.gadgets`;
  const longest = await own.rows(`select max(length(a_long_text)) as most from ${table}`);
  if (Number(longest[0]?.most) <= 32_767) return;
  await expect(world.bytes('gadgets', { format: 'xlsx' })).rejects.toThrow(
    'a_long_text: a cell of Excel has at most 32767 characters',
  );
  await own.rows(
    `update ${table} set a_long_text = left(a_long_text, 16000),
      custom_fields = custom_fields - 'x_long_text' where length(a_long_text) > 16000`,
  );
}

test('no cell of text begins like a formula, numbers stay numbers', async () => {
  const [, ...lines] = (await world.text('gadgets', { fields: ['a_number', 'name'] })).split('\n');
  const text = lines.join('\n');
  const { length } = FORMULAS;
  expect(text.match(/(?<=^[\d.e-]*,"?)'/gm)?.length).toBeGreaterThan(length / 2);
  expect(text).not.toMatch(/^[\d.e-]*,"?[=+\-@\t\r\n＝＋－＠]/m);
  expect(text).toMatch(/^-0\.000001,/m);
  const raw = await world.text('gadgets', { fields: ['name'], raw: true });
  expect(raw).toContain('\n=1+1\n');
  const json = await world.text('gadgets', { fields: ['name'], format: 'jsonl' });
  expect(json).toContain('{"name":"=1+1"}\n');
});
