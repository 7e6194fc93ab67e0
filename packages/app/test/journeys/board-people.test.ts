// A board by a person: records of people who have left and of anybody beyond the first hundred are on it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACME } from '../../../../test/world.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

const crowd = Object.fromEntries(
  Array.from({ length: 110 }, (_, at) => {
    const name = `Aa ${String(at).padStart(3, '0')}`;
    return [`aa${at}@acme.example`, { name, roles: ['rep'] }];
  }),
);

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.make('deals', { name: 'Of one who left', owner_user_id: app.world.users.con });
  await app.make('deals', { name: 'Of one beyond', owner_user_id: app.world.users.rob });
  const con = { ...ACME.users['con@acme.example'], active: false };
  await app.world.apply({ ...ACME, users: { ...ACME.users, ...crowd, 'con@acme.example': con } });
});
afterAll(() => app?.close());

test('every person with records has a column, with their name', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?layout=board&by=owner_user_id&sort=name`);
  // They come behind the first hundred people, once they are counted.
  await expect.poll(() => page.locator('main section').count()).toBe(103);
  await page.locator('main section').last().scrollIntoViewIfNeeded();
  for (const [person, name] of [
    ['Con', 'Of one who left'],
    ['Rob', 'Of one beyond'],
  ] as const) {
    const column = page.locator('section', { has: page.getByRole('heading', { name: person }) });
    await column.getByRole('link', { name }).waitFor();
  }
});
