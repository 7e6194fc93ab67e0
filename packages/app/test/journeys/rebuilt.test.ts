// The demo is exported by hand and imported by hand into an empty workspace of the same definition: the lists of both, as
// files, are equal to the letter.

import { join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { OPERATOR } from '../../../../src/control/administrative-audit.ts';
import { loadMemberByEmail } from '../../../../src/control/people.ts';
import { findWorkspace } from '../../../../src/control/workspaces.ts';
import { readDefinitionFile } from '../../../../src/definitions/document/definition-file.ts';
import { exporting } from '../../../../src/export/export-job.ts';
import { type JobRunner, startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { makeSignInLink } from '../../../../src/flow/people/make-sign-in-link.ts';
import { ALIVE } from '../../../../src/http/routing.ts';
import { importing } from '../../../../src/import/import-job.ts';
import { createWorkspace } from '../../../../src/workspaces/create-workspace.ts';
import { type DemoWorld, openDemoWorld } from '../../../../test/demo-world.ts';
import { keepWindows } from '../kept-windows.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../examples/crm-sales/definition.yaml');
/** Milliseconds: some hundred records on a busy machine. */
const PATIENCE = 120_000;

let world: DemoWorld;
let jobs: JobRunner;
let window: ReturnType<typeof keepWindows>;
let close: () => Promise<void>;

beforeAll(async () => {
  world = await openDemoWorld();
  const { db, listeners } = world.own;
  await createWorkspace(db, { slug: 'copy', document: readDefinitionFile(EXAMPLE) });
  const kinds = [importing(db), exporting(db)];
  jobs = await startJobs({ db, listeners, kinds, onError: console.error });
  const browser = await chromium.connect(inject('browser'));
  window = keepWindows(browser, `${world.origin}${ALIVE}`);
  close = () => browser.close();
});
afterAll(async () => {
  await jobs?.stop();
  await close?.();
  await world?.close();
});

async function signIn(page: Page, slug: string): Promise<void> {
  const { db } = world.own;
  const workspace = await findWorkspace(db, slug);
  if (workspace === undefined) throw new Error(`there is no ${slug}`);
  const person = await loadMemberByEmail(db, workspace.schema, 'admin@demo.example');
  if (person === undefined) throw new Error('there is no administrator');
  const asked = { db, workspace, actor: OPERATOR };
  const { url } = await makeSignInLink(asked, { person, origin: world.origin });
  await page.goto(url);
  const [use, later] = ['Use the link', 'Not now'].map((name) =>
    page.getByRole('button', { name }),
  );
  if (use === undefined || later === undefined) return;
  await use.or(later).waitFor();
  if (await use.isVisible()) await use.click();
  await later.click();
  await page.waitForURL((now) => !now.pathname.includes('sign-in'));
}

async function exported(page: Page, slug: string, list: string): Promise<string> {
  await page.goto(`${world.origin}/app/${slug}/o/${list}`);
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await page.getByRole('radio', { name: 'All fields' }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  return textFrom(await (await download).createReadStream());
}

async function imported(page: Page, type: string, text: string): Promise<void> {
  await page.goto(`${world.origin}/app/copy/import/${type}`);
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: `${type}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) },
  });
  await page.getByText(/columns matched/).waitFor();
  await page.getByRole('button', { name: /^Check/ }).click();
  await page.getByText('All rows can be imported.').waitFor({ timeout: PATIENCE });
  await page.getByRole('button', { name: /^Import \d/ }).click();
  await page.waitForURL(/\/jobs\//);
  await page.getByText('Done', { exact: true }).waitFor({ timeout: PATIENCE });
}

/** In the order in which they refer to one another; of the deals those that are worth most. */
const LISTS = [
  ['products', 'products?sort=name'],
  ['companies', 'companies?sort=name'],
  ['contacts', 'contacts?sort=name'],
  ['deals', 'deals?filter[close_value][gt]=7000&sort=opportunity_id'],
] as const;

test('lists that are exported and imported by clicks alone are equal', async () => {
  const page = await window();
  await signIn(page, 'demo');
  await signIn(page, 'copy');
  for (const [type, list] of LISTS) {
    const original = await exported(page, 'demo', list);
    expect(original.split('\n').length, type).toBeGreaterThan(5);
    await imported(page, type, original);
    expect(await exported(page, 'copy', list), type).toBe(original);
  }
});
