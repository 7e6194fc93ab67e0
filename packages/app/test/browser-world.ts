// A running service with the application, and people in front of a browser. What the browser complains of, a policy
// that was violated above all, fails the test.

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { OPERATOR } from '../../../src/control/administrative-audit.ts';
import { loadMemberByEmail } from '../../../src/control/members.ts';
import { findWorkspace } from '../../../src/control/workspaces.ts';
import { makeSignInLink } from '../../../src/flow/make-sign-in-link.ts';
import { openWorld, type PersonName, type World } from '../../../test/world.ts';

export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly locale?: string;
}

export interface BrowserWorld {
  readonly world: World;
  /** Of the application, with the workspace. */
  readonly address: string;
  /** A window without a session. */
  window(look?: Look): Promise<Page>;
  /** A window of somebody who has signed in. */
  as(person: PersonName, look?: Look): Promise<Page>;
  /** A one-time link for a person. */
  link(person: PersonName): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds: the machine may be busy. */
const PATIENCE = 30_000;

export async function openBrowserWorld(
  settings: Readonly<Record<string, string>> = {},
): Promise<BrowserWorld> {
  const browser = await chromium.connect(inject('browser'));
  const world = await openWorld(settings);
  const origin = `http://127.0.0.1:${world.port}`;
  const address = `${origin}/app/acme`;
  const window = (look: Look = {}) => openWindow(browser, look);
  return {
    world,
    address,
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
    async link(person) {
      const { db } = world.database;
      const place = await findWorkspace(db, 'acme');
      if (place === undefined) throw new Error('there is no acme');
      const member = await loadMemberByEmail(db, place.schema, `${person}@acme.example`);
      if (member === undefined) throw new Error(`there is no ${person}`);
      const { url } = await makeSignInLink(db, { place, person: member, origin, actor: OPERATOR });
      return url;
    },
    async close() {
      await browser.close();
      await world.close();
    },
  };
}

async function openWindow(browser: Browser, look: Look): Promise<Page> {
  const { colorScheme = 'light', width = 1280, locale = 'en-GB' } = look;
  const viewport = { width, height: 800 };
  const context = await browser.newContext({
    colorScheme,
    viewport,
    locale,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE);
  const complaints = complaintsOf(context);
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return context.newPage();
}

/**
 * The browser notes refused requests by itself, and React what a page has caught and shows; those are no fault of the
 * page.
 */
const REFUSED = /^Failed to load resource|RecordsError: /;

function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error' || REFUSED.test(message.text())) return;
    complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol === 'http:' && hostname === '127.0.0.1') return;
    complaints.push(`a request to ${hostname}`);
  });
  return complaints;
}
