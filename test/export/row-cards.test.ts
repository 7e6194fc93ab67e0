// Rows as contact cards: the reader of imports gives the values back, and lines are folded and escaped as RFC 6350 has it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTable } from '../../packages/tables/src/reading.ts';
import { cardPieces } from '../../src/export/row-cards.ts';
import type { Field } from '../../src/model/definition/model.ts';

const TYPES = {
  ...{ id: 'text', name: 'text', first_name: 'text', last_name: 'text', email: 'email' },
  ...{
    mobile: 'phone',
    phone: 'phone',
    homepage: 'url',
    birthday: 'date',
    company_id: 'reference',
  },
  ...{ job_title: 'text', notes: 'long_text', street: 'text', city: 'text', country: 'text' },
};
const fields = Object.entries(TYPES).map(([key, type]) => ({
  ...{ key, name: key, storage_key: key, column: key, storage: 'physical', type, rules: {} },
})) as unknown as readonly Field[];

async function cardsOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  layoutFields = fields,
): Promise<string> {
  const layout = {
    fields: layoutFields,
    addresses: new Map(),
    format: 'vcf',
    raw: false,
    names: true,
  } as const;
  async function* batches() {
    yield { rows, names: new Map([['c1', 'Acme, Inc.; "North"']]) };
  }
  let text = '';
  for await (const piece of cardPieces(layout, batches(), 'name')) text += piece;
  return text;
}

async function readBack(text: string) {
  async function* pieces() {
    yield new TextEncoder().encode(text);
  }
  const bounds = { columns: 2000, cells: 16_384, length: 8 * 1024 * 1024 };
  const { headings, sample } = await readTable(pieces, {}, { bounds, today: new Date(0) });
  return sample.map((cells) =>
    Object.fromEntries(headings.map((heading, index) => [heading, cells[index]])),
  );
}

const word = fc
  .array(
    fc.oneof(
      fc.constantFrom(',', ';', '\\', ':', '\n', '"', '=', ' ', 'n', 'N:', 'END:VCARD', 'é', '😀'),
      fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !/\p{Cc}/u.test(text)),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '');
const optional = fc.option(word, { nil: '' });
const row = fc.record({
  ...{ name: word, first_name: optional, last_name: optional, notes: optional, street: optional },
  ...{ city: optional, job_title: optional, email: fc.constantFrom('', 'ann@example.com') },
  phone: fc.constantFrom('', '+49 30 1 ext. 5'),
  mobile: fc.constantFrom('', '0151 1'),
  homepage: fc.constantFrom('', 'https://example.com/a,b;c?d=1'),
  birthday: fc.constantFrom('', '1985-01-31'),
  company_id: fc.constantFrom('', 'c1', 'c2'),
});
const COLUMNS = {
  ...{ name: 'Name', first_name: 'First name', last_name: 'Last name', notes: 'Note' },
  ...{ street: 'Street', city: 'City', job_title: 'Title', email: 'E-mail', phone: 'Telephone' },
  ...{ mobile: 'Mobile', homepage: 'URL', birthday: 'Birthday' },
} as const;

test('the reader of imports gives the values back, from lines of at most 75 bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 10 }), async (rows) => {
      const text = await cardsOf(rows.map((one) => ({ ...one, id: 'r1' })));
      const lines = text.split('\r\n');
      expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const read = await readBack(text);
      expect(read).toHaveLength(rows.length);
      for (const [index, one] of rows.entries()) {
        for (const [key, column] of Object.entries(COLUMNS)) {
          const value = read[index]?.[column] ?? '';
          expect([key, value]).toEqual([key, one[key as keyof typeof COLUMNS]]);
        }
        const company = one.company_id === 'c1' ? 'Acme, Inc.; "North"' : '';
        expect(read[index]?.Organization ?? '').toBe(company);
      }
    }),
    { numRuns: 100 },
  );
});

test('a record without a name has another value in its place', async () => {
  const nameIn = async (one: object) => (await readBack(await cardsOf([{ ...one, id: 'r1' }])))[0];
  expect(await nameIn({ first_name: 'Ann', email: 'ann@x.example' })).toMatchObject({
    Name: 'Ann',
  });
  expect(await nameIn({ email: 'ann@x.example' })).toMatchObject({ Name: 'ann@x.example' });
  expect(await cardsOf([{ id: 'r1' }])).toBe(
    'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:r1\r\nFN:r1\r\nEND:VCARD\r\n',
  );
});

test('a name of an object without parts of names is the given one, because some address books need N', async () => {
  const whole = fields.filter(({ key }) => key !== 'first_name' && key !== 'last_name');
  const one = { id: 'r1', name: 'Ann; Lee', company_id: 'c1' };
  expect(await cardsOf([one], whole)).toContain('FN:Ann\\; Lee\r\nN:;Ann\\; Lee;;;\r\n');
  expect(await cardsOf([one])).not.toContain('\nN:');
  expect(await cardsOf([{ id: 'r1', email: 'ann@x.example' }], whole)).not.toContain('\nN:');
});
