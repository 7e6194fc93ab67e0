// A running service with the application, and people in front of a browser.

import { chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { loadMemberByEmail } from '../../../src/control/people/people.ts';
import { OPERATOR } from '../../../src/control/workspace/administrative-audit.ts';
import { findWorkspace } from '../../../src/control/workspace/workspaces.ts';
import { makeSignInLink } from '../../../src/flow/people/make-sign-in-link.ts';
import { ALIVE } from '../../../src/http/route/routing.ts';
import type { Client } from '../../../test/client.ts';
import { openWorld, type PersonName, type World } from '../../../test/world.ts';
import { keepWindows, type Look } from './kept-windows.ts';

export type { Look };

type Fields = Readonly<Record<string, unknown>>;

export interface BrowserWorld {
  readonly world: World;
  /** Of the application, with the workspace. */
  readonly address: string;
  /** An administrator by way of the interface. */
  readonly ada: Client;
  /** A record that ada makes; its id. */
  make(type: string, fields: Fields): Promise<string>;
  /** As many as it gives fields for, a hundred at once; their ids. */
  makeAll(type: string, all: readonly Fields[]): Promise<readonly string[]>;
  /** A window without a session. */
  window(look?: Look): Promise<Page>;
  /** A window of somebody who has signed in. */
  as(person: PersonName, look?: Look): Promise<Page>;
  /** A one-time link for a person. */
  link(person: PersonName): Promise<string>;
  close(): Promise<void>;
}

export async function openBrowserWorld(
  settings: Readonly<Record<string, string>> = {},
): Promise<BrowserWorld> {
  const browser = await chromium.connect(inject('browser'));
  const world = await openWorld(settings);
  const ada = await world.as('ada');
  const origin = `http://127.0.0.1:${world.port}`;
  const window = keepWindows(browser, origin + ALIVE);
  return {
    world,
    ada,
    address: `${origin}/app/acme`,
    make: (type, fields) => makeRecord(ada, type, fields),
    makeAll: (type, all) => makeRecords(ada, type, all),
    window,
    async as(person, look) {
      const page = await window(look);
      const { cookie } = await world.inSession(person);
      const [name = '', value = ''] = cookie.split('=');
      await page
        .context()
        .addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
      return page;
    },
    link: (person) => linkFor(world, person, origin),
    async close() {
      await browser.close();
      await world.close();
    },
  };
}

/**
 * To a page of the application; in a window that shows one, by a link in it. A full load takes seven times as much of
 * the processor.
 */
export async function visit(page: Page, address: string): Promise<void> {
  if (!page.url().startsWith(new URL('/app', address).href)) await page.goto(address);
  else {
    await page.evaluate((url) => {
      history.pushState({}, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
  }
}

async function makeRecord(client: Client, type: string, fields: Fields): Promise<string> {
  const { status, body } = await client.post(`/objects/${type}/records`, { fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.data.id);
}

/** As many as a batch takes. */
const BATCH = 100;

async function makeRecords(
  client: Client,
  type: string,
  all: readonly Fields[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let start = 0; start < all.length; start += BATCH) {
    const operations = all
      .slice(start, start + BATCH)
      .map((fields) => ({ action: 'create', fields }));
    const { status, body } = await client.post(`/objects/${type}/records/batch`, { operations });
    if (status !== 200) throw new Error(JSON.stringify(body));
    ids.push(...body.data.results.map(({ id }: { id: string }) => id));
  }
  return ids;
}

async function linkFor(world: World, person: PersonName, origin: string): Promise<string> {
  const { db } = world.database;
  const workspace = await findWorkspace(db, 'acme');
  if (workspace === undefined) throw new Error('there is no acme');
  const member = await loadMemberByEmail(db, workspace.schema, `${person}@acme.example`);
  if (member === undefined) throw new Error(`there is no ${person}`);
  const asked = { db, workspace, actor: OPERATOR };
  const { url } = await makeSignInLink(asked, { person: member, origin });
  return url;
}
