// Each situation in one place (unsaved.nightly.test.ts has all), reloads, and editors whose place on the page changes: the
// text of a person is saved, shown as not saved, or offered back.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { settling } from '../settling.ts';
import { definitionWith, isClean, PLACES, SITUATIONS } from '../unsaved.ts';
import { openUnsavedWorld, type UnsavedWorld } from '../unsaved-world.ts';

let world: UnsavedWorld;

beforeAll(async () => {
  world = await openUnsavedWorld();
});
afterAll(() => world?.close());

/** The place of each situation, by its position in the table. */
const PAIRS = [0, 4, 1, 5, 3, 2].map((at, index) => {
  const [situation, place] = [SITUATIONS[index], PLACES[at]];
  if (situation === undefined || place === undefined) throw new Error('the table is smaller');
  return [situation.name, place.name, situation, place] as const;
});

test.each(PAIRS)('%s, in %s', (_, __, situation, place) => world.run(situation, place));

test('after a reload it is offered, opening the record sends nothing, and Retry sends it', async () => {
  const { stage, place, isStored } = await world.begin(0);
  const { page, network, company } = stage;
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  network.cut();
  await place.send(stage);
  await bar.getByText('1 change not saved').waitFor();
  await expect.poll(() => page.locator('[data-unsaved]').count()).toBe(1);
  network.restore();
  await page.route('**/v1/objects/companies/records/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.reload();
  await bar.getByRole('button', { name: 'Show' }).click();
  await bar.getByText('Typed in the meantime').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await bar.getByRole('link', { name: company.name }).click();
  await page.getByText('Not saved: Typed in the meantime').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.unrouteAll();
  expect(await isStored()).toBe(false);
  await bar.getByRole('button', { name: 'Retry' }).press('Enter');
  await expect.poll(isStored).toBe(true);
  await bar.waitFor({ state: 'detached' });
});

test('an editor keeps its field when a column before it is removed', async () => {
  const { stage, place, isStored } = await world.begin(0);
  await stage.app.world.apply(definitionWith(undefined, { founded: null }), ['companies.founded']);
  await stage.page.getByRole('columnheader', { name: 'founded' }).waitFor({ state: 'detached' });
  await place.send(stage);
  await expect.poll(isStored).toBe(true);
});

test('a second choice while the first is being saved is saved too', async () => {
  const { stage } = await world.begin(1);
  const { page, app, company } = stage;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^stage/i }).click();
  await page.route('**/v1/objects/companies/records/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  const choice = page.getByRole('combobox', { name: /stage/i });
  await choice.selectOption('red');
  await choice.selectOption('');
  await choice.waitFor({ state: 'detached' });
  const { body } = await app.ada.get(`/objects/companies/records/${company.id}`);
  expect(body.data.fields.stage).toBe(null);
});

test.each([4, 5])(
  'place %i: a draft that is sent when the person leaves is saved, and not offered again',
  async (at) => {
    const { stage, place, isStored } = await world.begin(at);
    const { page } = stage;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/objects/companies/records**', async (route) => {
      if (route.request().method() === 'POST') await released;
      await route.continue();
    });
    await place.send(stage);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await isStored()).toBe(false);
    release();
    await expect.poll(isStored).toBe(true);
    await isClean(stage);
  },
);

test('an editor without a change can be left after another person has changed the field', async () => {
  const { stage } = await world.begin(1);
  const { page, app, company } = stage;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Remark/ }).click();
  const editor = page.getByRole('textbox', { name: 'Remark' });
  await editor.waitFor();
  const path = `/objects/companies/records/${company.id}`;
  await app.ada.patch(path, { fields: { remark: 'Theirs' } });
  await settling(page)();
  await editor.press('Enter');
  await editor.waitFor({ state: 'detached' });
  await page.getByText('Theirs').first().waitFor();
});
