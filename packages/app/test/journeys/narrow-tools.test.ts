// The tools of a list at every width: each can be pressed, and none lies under another.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('every tool of a list is reached from 320 pixels on', async () => {
  await app.make('boats', {
    name: 'Barge',
    company_id: await app.make('companies', { name: 'Quay' }),
  });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/boats`);
  await page.getByRole('searchbox').first().waitFor();
  for (const width of [320, 390, 481, 640, 768, 900, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(100);
    const covered = await page.evaluate(() => {
      const row = document.querySelector('[data-tools]')?.parentElement;
      const tools = [...(row?.querySelectorAll<HTMLElement>('button, a, input') ?? [])];
      return tools
        .filter((tool) => tool.checkVisibility())
        .filter((tool) => {
          const { x, y, width, height } = tool.getBoundingClientRect();
          const top = document.elementFromPoint(x + width / 2, y + height / 2);
          return !tool.contains(top) && top?.contains(tool) !== true;
        })
        .map((tool) => tool.getAttribute('aria-label') ?? tool.textContent);
    });
    expect(covered, `${width} pixels`).toEqual([]);
  }
});
