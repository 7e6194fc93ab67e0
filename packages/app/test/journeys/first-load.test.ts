// The load of the first page in a browser with an empty cache: files, their bytes as they are sent, and requests of the
// interface. Nothing more comes before the person uses the page.

import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

const BUDGET = { files: 20, bytes: 300_000, requests: 6 };
/** Milliseconds in which code that comes without a use of the page would begin to load. */
const LATER = 4000;

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('the first page is within its budget', async () => {
  const owner_user_id = app.world.users.ada;
  await app.make('deals', { name: 'Open', owner_user_id });
  const page = await app.as('ada');
  const tools = await page.context().newCDPSession(page);
  const loaded = await noteLoaded(tools);
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Your open deals' }).waitFor();
  await page.waitForTimeout(LATER);
  const all = [...loaded.values()];
  const requests = all.filter(({ path }) => path.startsWith('/v1/'));
  const files = all.filter((one) => !requests.includes(one));
  const told = all.map(({ path, bytes }) => `${bytes} ${path}`).join('\n');
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  expect(files.length, told).toBeLessThanOrEqual(BUDGET.files);
  expect(bytes, told).toBeLessThanOrEqual(BUDGET.bytes);
  expect(requests.length, told).toBeLessThanOrEqual(BUDGET.requests);
  // The code of lists comes with the first move of the pointer.
  const code = page.waitForResponse(/\/records-[^/]*\.js$/);
  await page.mouse.move(200, 200);
  await code;
});

interface Loaded {
  readonly path: string;
  /** The bytes of the answer with its headers, as they were sent. */
  bytes: number;
}

/** Answers by the id of their request, as the browser reports them. */
async function noteLoaded(tools: CDPSession): Promise<ReadonlyMap<string, Loaded>> {
  const loaded = new Map<string, Loaded>();
  tools.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname, search } = new URL(response.url);
    loaded.set(requestId, { path: pathname + search, bytes: 0 });
  });
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = loaded.get(requestId);
    if (one !== undefined) one.bytes = encodedDataLength;
  });
  await tools.send('Network.enable');
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
  return loaded;
}
