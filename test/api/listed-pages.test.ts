// Pages of rows that are listed by their id.

import { expect, test } from 'vitest';
import { loadPage } from '../../src/api/listed-pages.ts';

test.each([
  ['numbers', [1, 2, 3]],
  ['short texts', ['a', 'b', 'c']],
  [
    'texts that are longer than a cursor keeps whole',
    ['a', 'b', 'c'].map((one) => `${'x'.repeat(150)}${one}`),
  ],
])('%s lead from page to page', async (_, ids: readonly (string | number)[]) => {
  const listed = {
    load: async (after: string | number | undefined, limit: number) =>
      ids
        .filter((id) => after === undefined || id > after)
        .slice(0, limit)
        .map((id) => ({ id })),
    idOf: ({ id }: { readonly id: string | number }) => id,
  };
  const question = { secret: Buffer.alloc(32), binding: 'ids', limit: 1 };
  const shown: (string | number)[] = [];
  let cursor: string | undefined;
  do {
    const { rows, pagination } = await loadPage({ ...question, cursor }, listed);
    shown.push(...rows.map(({ id }) => id));
    cursor = pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(shown).toEqual(ids);
});
