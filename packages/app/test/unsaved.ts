// Six things that happen to a person who types, in six places: what becomes of the text.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ACME } from '../../../test/world.ts';
import type { BreakableNetwork } from './breakable-network.ts';
import type { BrowserWorld } from './browser-world.ts';

const { companies } = ACME.objects;
const { manager } = ACME.roles;

/** The workspace with a person who may do everything with companies, or what `changed` says instead. */
export function definitionWith(
  rights: object = { create: 'organisation', read: 'organisation', update: 'organisation' },
  fields: object = {},
) {
  const all = {
    founded: companies.fields.founded,
    remark: { type: 'text', name: 'Remark' },
    stage: { type: 'select', options: [{ value: 'red', label: 'Red' }, { value: 'blue' }] },
    visit: { type: 'date' },
    ...fields,
  };
  const present = Object.entries(all).filter(([, field]) => field !== null);
  const { founded: _, ...others } = companies.fields;
  return {
    ...ACME,
    objects: {
      ...ACME.objects,
      companies: { ...companies, fields: { ...others, ...Object.fromEntries(present) } },
    },
    roles: { ...ACME.roles, manager: { ...manager, objects: { companies: rights } } },
  };
}

export interface Stage {
  readonly app: BrowserWorld;
  readonly network: BreakableNetwork;
  readonly page: Page;
  /** A company of its own for each test. */
  readonly company: { readonly id: string; readonly name: string };
}

const TYPED = 'Typed in the meantime';

/** `field`: saved by itself later. `card`: goes back. `text`: stays where it is, and is sent when asked. */
type Kind = 'field' | 'card' | 'text';

export interface Place {
  readonly name: string;
  readonly kind: Kind;
  /** The field that it changes; none: a comment. */
  readonly field?: string;
  /** Up to the moment before it is sent. */
  begin(stage: Stage): Promise<void>;
  send(stage: Stage): Promise<void>;
  /** Resolves to whether the service has it. */
  isStored(stage: Stage): Promise<boolean>;
}

const open = ({ app, network, page, company }: Stage, path: string) =>
  page.goto(network.through(`${app.address}/o/companies${path.replace('ID', company.id)}`));

const asked = ({ company }: Stage) => `filter[name][eq]=${encodeURIComponent(company.name)}`;

const isField = (key: string, value: unknown) => async (stage: Stage) => {
  const { body } = await stage.app.ada.get(`/objects/companies/records/${stage.company.id}`);
  return body.data.fields[key] === value;
};

const press = async ({ page }: Stage, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

const dialogOf = ({ page }: Stage) => page.getByRole('dialog', { name: 'New company' });
const commentOf = ({ page }: Stage) => page.getByRole('textbox', { name: 'Comment' });

export const PLACES: readonly Place[] = [
  {
    name: 'a cell of a list',
    kind: 'field',
    field: 'remark',
    async begin(stage) {
      const { page } = stage;
      await open(stage, `?fields=founded,remark&${asked(stage)}`);
      await page.locator('tbody [data-column="3"]').first().dblclick();
      await page.getByRole('textbox', { name: /^Remark/ }).fill(TYPED);
    },
    send: (stage) => press(stage, 'Enter'),
    isStored: isField('remark', TYPED),
  },
  {
    name: 'the page of a record',
    kind: 'field',
    field: 'remark',
    async begin(stage) {
      const { page } = stage;
      await open(stage, '/ID');
      await page.getByRole('button', { name: /^Remark/ }).click();
      await page.getByRole('textbox', { name: 'Remark' }).fill(TYPED);
    },
    send: (stage) => press(stage, 'Enter'),
    isStored: isField('remark', TYPED),
  },
  {
    name: 'a card of a board',
    kind: 'card',
    field: 'stage',
    async begin(stage) {
      const { page, company } = stage;
      await open(stage, `?layout=board&by=stage&${asked(stage)}`);
      await page.getByRole('button', { name: `Move ${company.name}` }).click();
      await page.getByRole('menuitem', { name: 'Red' }).waitFor();
    },
    send: ({ page }) => page.getByRole('menuitem', { name: 'Red' }).click({ timeout: 3000 }),
    isStored: isField('stage', 'red'),
  },
  {
    name: 'an entry of a calendar',
    kind: 'card',
    field: 'visit',
    async begin(stage) {
      const { page, company } = stage;
      await open(stage, `?layout=calendar&by=visit&on=2027-01&${asked(stage)}`);
      await page.getByRole('link', { name: company.name }).focus();
      await press(stage, 'Space', 'ArrowRight');
    },
    send: (stage) => press(stage, 'Space'),
    isStored: isField('visit', '2027-01-13'),
  },
  {
    name: 'the form of a new record',
    kind: 'text',
    field: 'remark',
    async begin(stage) {
      const { page, company } = stage;
      await open(stage, `?${asked(stage)}`);
      await page
        .getByRole('main')
        .getByRole('button', { name: 'New company' })
        .and(page.locator(':not([data-new-row])'))
        .first()
        .click();
      await dialogOf(stage).getByLabel('Name').fill(`New ${company.name}`);
      await dialogOf(stage).getByLabel('Remark').fill(TYPED);
    },
    send: (stage) => press(stage, 'Control+Enter'),
    async isStored({ app, company }) {
      const filter = `filter[name][eq]=${encodeURIComponent(`New ${company.name}`)}`;
      const { body } = await app.ada.get(`/objects/companies/records?fields=name&${filter}`);
      return body.data.length === 1;
    },
  },
  {
    name: 'a comment',
    kind: 'text',
    async begin(stage) {
      await open(stage, '/ID');
      await commentOf(stage).fill(TYPED);
    },
    send: (stage) => press(stage, 'Control+Enter'),
    async isStored({ app, company }) {
      const path = `/objects/companies/records/${company.id}/comments`;
      const { body } = await app.ada.get(path);
      return body.data.length === 1 && body.data[0].body === TYPED;
    },
  },
];

const barOf = ({ page }: Stage) => page.getByRole('region', { name: 'Unsaved changes' });

/** Resolves when nothing is unsaved. */
export async function isClean(stage: Stage): Promise<void> {
  const kept = () =>
    stage.page.evaluate(() =>
      Object.entries(localStorage).filter(([name]) => name.startsWith('wrs.edits:')),
    );
  await expect.poll(kept).toEqual([]);
  await barOf(stage).waitFor({ state: 'detached' });
}

/** Resolves when it is stored. */
const stored = (place: Place, stage: Stage) =>
  expect.poll(() => place.isStored(stage), { timeout: 60_000 }).toBe(true);

const notStored = async (place: Place, stage: Stage) =>
  expect(await place.isStored(stage)).toBe(false);

/** The text is not shown as saved while no answer comes; afterwards it is saved. */
async function survives(place: Place, stage: Stage, end: () => Promise<void>): Promise<void> {
  const { page } = stage;
  if (place.kind === 'field') await barOf(stage).getByText('1 change not saved').waitFor();
  else await page.getByText('The service cannot be reached.', { exact: true }).first().waitFor();
  await notStored(place, stage);
  await end();
  if (place.kind === 'card') {
    await isBack(place, stage);
    return notStored(place, stage);
  }
  if (place.kind === 'text') await place.send(stage);
  await stored(place, stage);
  await isClean(stage);
}

/** The card is where the service has it. */
async function isBack({ field }: Place, { page, company }: Stage): Promise<void> {
  const from =
    field === 'visit'
      ? page.locator('td:has(time[datetime="2027-01-12"])')
      : page.getByRole('region', { name: 'blue', exact: true });
  await from.getByRole('link', { name: company.name }).waitFor();
}

/** The text is in view with the reason, and can be copied; nothing is sent. */
async function isLeft(place: Place, stage: Stage, reason: RegExp): Promise<void> {
  const { page } = stage;
  const scope: Locator = place.name.startsWith('the form') ? dialogOf(stage) : barOf(stage);
  await scope.getByText(reason).first().waitFor();
  await scope.getByText(TYPED).first().waitFor();
  await scope.getByRole('button', { name: 'Copy' }).first().waitFor();
  await notStored(place, stage);
  expect(await page.getByText('Something went wrong').count()).toBe(0);
}

export interface Situation {
  readonly name: string;
  run(place: Place, stage: Stage): Promise<void>;
}

export const SITUATIONS: readonly Situation[] = [
  {
    name: 'no network',
    async run(place, stage) {
      await stage.page.context().setOffline(true);
      await place.send(stage);
      await survives(place, stage, () => stage.page.context().setOffline(false));
    },
  },
  {
    name: 'a service that was killed',
    async run(place, stage) {
      stage.network.cut();
      await place.send(stage);
      await survives(place, stage, async () => stage.network.restore());
    },
  },
  {
    name: 'a right that was withdrawn',
    async run(place, stage) {
      const rights = place.field === undefined ? {} : { read: 'organisation' };
      await stage.app.world.apply(definitionWith(rights));
      if (place.kind !== 'card') return isLeft(place, stage, /no longer have/);
      await place.send(stage).catch(() => undefined);
      await isBack(place, stage);
      await notStored(place, stage);
    },
  },
  {
    name: 'a field that was removed',
    async run(place, stage) {
      const { field = 'remark' } = place;
      const removed = definitionWith(undefined, { [field]: null });
      await stage.app.world.apply(removed, [`companies.${field}`]);
      if (place.kind === 'card') {
        await place.send(stage).catch(() => undefined);
        const { body } = await stage.app.ada.get(`/objects/companies/records/${stage.company.id}`);
        expect(body.data.fields).not.toHaveProperty(field);
      } else if (place.field === undefined) {
        await place.send(stage);
        await stored(place, stage);
      } else await isLeft(place, stage, /no longer has these fields|field was removed/);
    },
  },
  {
    name: 'a session that has ended',
    async run(place, stage) {
      const { page } = stage;
      await page.context().clearCookies();
      await place.send(stage);
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await notStored(place, stage);
      await page.keyboard.press('Enter');
      await stored(place, stage);
      await dialog.waitFor({ state: 'detached' });
      await isClean(stage);
    },
  },
  {
    name: 'a change by another person',
    async run(place, stage) {
      const { app, page, company } = stage;
      const theirs = { remark: 'Theirs', stage: null, visit: '2027-01-20' };
      const fields = { [place.field ?? 'remark']: theirs[place.field as 'remark'] ?? null };
      await page.route('**/events/stream*', (route) => route.abort());
      await app.ada.patch(`/objects/companies/records/${company.id}`, { fields });
      await place.send(stage);
      if (place.kind === 'field') {
        const dialog = page.getByRole('dialog', { name: 'Someone else changed this field' });
        await dialog.getByText('Theirs').waitFor();
        await notStored(place, stage);
        await dialog.getByRole('button', { name: 'Save your value' }).click();
      }
      if (place.kind !== 'card') return stored(place, stage);
      await page
        .getByText(/moved it to|was changed|has changed/i)
        .first()
        .waitFor();
      await notStored(place, stage);
    },
  },
];

export const PASSWORD = 'a sentence is a good password';
