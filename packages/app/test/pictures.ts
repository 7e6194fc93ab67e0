// Pictures of the pages in both themes and on a telephone, for review:
//   tsx packages/app/test/pictures.ts <address with the workspace> <folder> [page …]
// `workspace-records sign-in-link` prints the address. Those of docs/application.md are made again by
//   tsx packages/app/test/pictures.ts <address> docs/pictures list-light palette-dark …
// with the names that the folder has: a page, or a page and its kind.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

interface Picture {
  readonly name: string;
  /** Below the workspace. */
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: 'home', path: '' },
  { name: 'notifications', path: '/notifications' },
  { name: 'search', path: '/search?q=acme' },
  { name: 'gone', path: '/o/deals/01900000-0000-7000-8000-000000000000' },
  { name: 'list', path: '/o/deals' },
  {
    name: 'filter',
    path: '/o/deals?filter[close_value][gt]=10000&filter[status][in]=won,lost',
    act: async (page) => {
      const filters = page.getByRole('group', { name: 'Filters' });
      await filters.getByRole('button', { name: /^Status/ }).click();
      await page.waitForTimeout(400);
    },
  },
  { name: 'groups', path: '/o/deals?group=status&sum=close_value' },
  {
    name: 'views',
    path: '/o/deals?sort=-close_value',
    act: async (page) => {
      await page.getByRole('button', { name: /^View/ }).click();
      await page.waitForTimeout(400);
    },
  },
  {
    name: 'record',
    path: '/o/deals',
    act: async (page) => {
      await page.locator('tbody a').first().click();
      await page.waitForURL(/deals\/./);
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'company',
    path: '/o/companies?filter[sector][eq]=medical&sort=name',
    act: async (page) => {
      await openFirst(page);
      await page.getByRole('button', { name: 'Deals', exact: true }).click();
      await page.getByRole('table', { name: 'Deals' }).waitFor();
    },
  },
  { name: 'work-item', path: '/o/work_items?q=Onboarding', act: openFirst },
  {
    name: 'mention',
    path: '/o/work_items?sort=-created_at',
    act: async (page) => {
      await openFirst(page);
      await page.getByRole('textbox', { name: 'Comment' }).fill('Have a look, @');
      await page.getByRole('listbox').waitFor();
    },
  },
  {
    name: 'delete',
    path: '/o/companies',
    act: async (page) => {
      await openFirst(page);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page.getByRole('dialog').waitFor();
      await page.waitForTimeout(800);
    },
  },
  {
    name: 'create',
    path: '/o/deals',
    act: async (page) => {
      await page.getByRole('button', { name: 'New deal' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.waitForTimeout(400);
    },
  },
  {
    name: 'grid-edit',
    path: '/o/deals?fields=status,close_value,close_date,owner_user_id',
    act: async (page) => {
      await page.locator('tbody [data-column="3"]').nth(1).dblclick();
      await page.keyboard.type('much');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'grid-chosen',
    path: '/o/deals',
    act: async (page) => {
      await page.locator('tbody input').nth(1).click();
      await page
        .locator('tbody input')
        .nth(4)
        .click({ modifiers: ['Shift'] });
      await page.locator('tbody [data-column="2"]').nth(6).click();
      await page
        .locator('tbody [data-column="3"]')
        .nth(8)
        .click({ modifiers: ['Shift'] });
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'grid-menu',
    path: '/o/deals',
    act: async (page) => {
      await page.locator('thead [data-column="2"] button').last().click();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'columns',
    path: '/o/deals',
    act: async (page) => {
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'grid-paste',
    path: '/o/companies?fields=sector,revenue',
    act: async (page) => {
      await page.locator('tbody a').first().focus();
      await page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'One\tTrade\tmuch\nTwo\tFinance\t5');
        const options = { clipboardData, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new ClipboardEvent('paste', options));
      });
      await page.waitForTimeout(700);
    },
  },
  {
    name: 'palette',
    path: '',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('acme');
      await page.waitForTimeout(700);
    },
  },
  {
    name: 'menu',
    path: '',
    act: async (page) => {
      const menu = page.getByRole('button', { name: 'Open navigation' });
      if (await menu.isVisible()) await menu.click();
      else await page.getByRole('button', { name: /^Settings of/ }).click();
      await page.waitForTimeout(400);
    },
  },
  { name: 'trash', path: '/o/companies/deleted' },
  {
    name: 'history',
    path: '/o/companies',
    act: async (page) => {
      await openFirst(page);
      await page.getByRole('tab', { name: 'History' }).click();
      await page.waitForTimeout(500);
    },
  },
  { name: 'reports', path: '/reports' },
  { name: 'model', path: '/settings/model' },
  { name: 'model-object', path: '/settings/model/deals' },
  { name: 'people', path: '/settings/people' },
  { name: 'profile', path: '/settings/profile' },
  { name: 'sessions', path: '/settings/sessions' },
  { name: 'keys', path: '/settings/keys' },
  {
    name: 'new-key',
    path: '/settings/keys',
    act: async (page) => {
      await page
        .getByRole('button', { name: /new key/i })
        .first()
        .click();
      await page.waitForTimeout(300);
    },
  },
  { name: 'webhooks', path: '/settings/webhooks' },
  { name: 'new-webhook', path: '/settings/webhooks/new' },
  {
    name: 'board',
    path: '/o/deals?layout=board',
    act: async (page) => {
      await page.locator('[data-card]').first().waitFor();
    },
  },
  {
    name: 'board-held',
    path: '/o/deals?layout=board',
    act: async (page) => {
      await page.locator('[data-card]').first().press(' ');
      await page.keyboard.press('ArrowRight');
    },
  },
  {
    name: 'board-menu',
    path: '/o/work_items?layout=board',
    act: async (page) => {
      await page.locator('[data-card]').first().waitFor();
      await page
        .getByRole('button', { name: /^Move / })
        .first()
        .click();
      await page.waitForTimeout(300);
    },
  },
  { name: 'not-found', path: '/nowhere/at/all' },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator('[role=row] a').first().click();
  await page.getByRole('button', { name: 'More', exact: true }).waitFor();
  await page.waitForTimeout(1000);
}

const KINDS = [
  { kind: 'light', width: 1280, height: 800, colorScheme: 'light' },
  { kind: 'dark', width: 1280, height: 800, colorScheme: 'dark' },
  { kind: 'phone', width: 390, height: 844, colorScheme: 'light' },
] as const;

const [link = '', folder = '', ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const place = link.replace(/\/sign-in#.*$/, '');

const browser = await launchChromium();
const cookies = await signIn();
for (const { kind, width, height, colorScheme } of KINDS) {
  const look = { viewport: { width, height }, colorScheme };
  const signedOut = await browser.newContext(look);
  await signInPictures(signedOut, kind);
  await signedOut.close();
  for (const picture of PICTURES) {
    if (!isWanted(picture.name, kind)) continue;
    // The draft of a picture is not in the next one.
    const context = await browser.newContext(look);
    await context.addCookies(cookies);
    await take(context, kind, picture);
    await context.close();
  }
}
await browser.close();

function isWanted(name: string, kind: string): boolean {
  return names.length === 0 || names.includes(name) || names.includes(`${name}-${kind}`);
}

async function signIn() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: /welcome/i }).waitFor();
  if (isWanted('link', 'light')) await page.screenshot({ path: join(folder, 'link-light.png') });
  const found = await context.cookies();
  await context.close();
  return found;
}

async function signInPictures(context: BrowserContext, kind: string): Promise<void> {
  if (!isWanted('sign-in', kind)) return;
  const page = await context.newPage();
  await page.goto(`${place}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.screenshot({ path: join(folder, `sign-in-${kind}.png`) });
  await page.close();
}

async function take(context: BrowserContext, kind: string, { name, path, act }: Picture) {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(name, kind, message.text());
  });
  page.on('pageerror', (error) => console.error(name, kind, error.message));
  await page.goto(place + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(
    () => document.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null,
  );
  // Live events are a request without an end.
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  await act?.(page).catch((error: Error) =>
    console.error(name, kind, error.message.split('\n')[0]),
  );
  await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
  await page.close();
}
