// People of every kind of role follow each link that they are offered and open each menu: no request is refused with 403,
// and no answer has a record or a field that they may not read.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonName } from '../../../../test/world.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { someOf } from '../long.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;

/** A word in a record or a field, and the people who may read it. */
const HIDDEN: Readonly<Record<string, readonly PersonName[]>> = {
  zqxofada: ['ada', 'con'],
  zqxofrob: ['ada', 'mia', 'rob', 'con'],
  zqxsecret: ['ada', 'mia', 'con'],
  zqxfirm: ['ada', 'mia', 'rob'],
};

beforeAll(async () => {
  app = await openBrowserWorld();
  const rob = await app.world.as('rob');
  const mine = await rob.post('/objects/deals/records', { fields: { name: 'Zqxofrob rope' } });
  const path = `/objects/deals/records/${mine.body.data.id}`;
  await app.ada.patch(path, { fields: { secret: 'zqxsecret' } });
  await app.make('deals', { name: 'Zqxofada twine' });
  const company_id = await app.make('companies', { name: 'Zqxfirm', revenue: 7 });
  await app.make('boats', { name: 'Barge', company_id });
  await rob.post(`${path}/comments`, {
    ...{ body: 'Look', mention_user_ids: [app.world.users.mia, app.world.users.con] },
  });
});
afterAll(() => app?.close());

const PEOPLE: readonly PersonName[] = ['rob', 'con', 'mia', 'bea', 'ada'];
/** Pages that look alike, such as those of two records. */
const ALIKE = 2;
const MOST_PAGES = 40;

test.each(someOf(PEOPLE, 2).map((person) => [person] as const))(
  'nothing that %s is offered is refused, and nothing is shown that may not be',
  async (person) => {
    const page = await app.as(person);
    const noted = watch(page);
    await page.goto(app.address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const visited = await crawl(page, noted.settle);
    expect(visited.length).toBeGreaterThan(6);
    const { refused, texts } = noted;
    expect(refused).toEqual([]);
    const all = (await Promise.all(texts)).join('\n').toLowerCase();
    const shown = Object.keys(HIDDEN).filter((word) => all.includes(word));
    const allowed = Object.keys(HIDDEN).filter((word) => HIDDEN[word]?.includes(person));
    expect(shown.filter((word) => !allowed.includes(word))).toEqual([]);
    // The crawl has come to the records that it could show.
    expect(shown).toEqual(allowed);
  },
);

function watch(page: Page) {
  const refused: string[] = [];
  const texts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/v1/')) return;
    const { method } = { method: response.request().method() };
    if (response.status() === 403) refused.push(`${page.url()}: ${method} ${response.url()}`);
    // A stream has no end to wait for.
    if (!response.url().includes('/events/')) texts.push(response.text().catch(() => ''));
  });
  return { refused, texts, settle: settling(page) };
}

/** The addresses that were visited. */
async function crawl(page: Page, settle: () => Promise<void>): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  const queue = [new URL(app.address).pathname];
  const visited: string[] = [];
  while (queue.length > 0 && visited.length < MOST_PAGES) {
    const path = queue.shift() as string;
    const kind = path.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d+/g, '#').replace(/\?.*$/, '');
    const count = counts.get(kind) ?? 0;
    if (visited.includes(path) || count >= ALIKE) continue;
    counts.set(kind, count + 1);
    visited.push(path);
    await visit(page, new URL(path, app.address).href);
    await settle();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await openMenus(page);
    queue.push(...(await linksOf(page)));
  }
  return visited;
}

const linksOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/app/"]')].map(
      (link) => link.getAttribute('href') ?? '',
    ),
  );

/** Menus, lists and dialogs load what they show when they open. */
async function openMenus(page: Page): Promise<void> {
  const menus = page.getByRole('main').locator('button[aria-haspopup]:visible');
  for (let place = 0; place < Math.min(await menus.count(), 8); place += 1) {
    await menus
      .nth(place)
      .click({ timeout: 2000 })
      .catch(() => undefined);
    await page.waitForTimeout(100);
    await page.keyboard.press('Escape');
  }
}
