// Reports and dashboards that are made by clicks, from the names that people see.

import type { Locator, Page } from 'playwright-core';

export interface ClickedReport {
  readonly name: string;
  readonly object: string;
  /** A field, its operator in words, and the options that are ticked. */
  readonly filter?: readonly [field: string, operator: string, options: readonly string[]];
  readonly groups: readonly string[];
  readonly metrics: readonly string[];
  readonly chart: string;
  /** Columns on the dashboard. */
  readonly width: number;
}

/** From the page of reports, shared with everybody. */
export async function makeReport(page: Page, report: ClickedReport): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'New report' }).first().click();
  await page.getByRole('button', { name: /^Object: / }).click();
  await page.getByRole('menuitem', { name: report.object, exact: true }).click();
  await page.getByRole('button', { name: `Object: ${report.object}` }).waitFor();
  await chooseGroups(page, report.groups);
  await chooseMetrics(page, report.metrics);
  if (report.filter !== undefined) await addFilter(page, report.filter);
  const chart = page.getByRole('button', { name: report.chart, exact: true });
  if ((await chart.getAttribute('aria-pressed')) !== 'true') await chart.click();
  await page.getByRole('button', { name: 'Save report' }).click();
  await saveShared(page, report.name);
}

/** From the page of reports, shared with everybody, with tiles in this order. */
export async function makeDashboard(
  page: Page,
  name: string,
  tiles: readonly Pick<ClickedReport, 'name' | 'width'>[],
): Promise<void> {
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await saveShared(page, name);
  for (const tile of tiles) {
    await page.getByRole('button', { name: 'Add report' }).first().click();
    await page.getByRole('menuitem', { name: tile.name, exact: true }).click();
    await widenTile(page, tile);
  }
}

async function chooseGroups(page: Page, groups: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: /^(By .*|Group by)$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Group by' });
  const first = dialog.getByRole('combobox', { name: 'Group by' });
  if (groups.length === 0) {
    await first.fill('');
    await first.press('Backspace');
  }
  for (const [index, group] of groups.entries()) {
    const then = dialog.getByRole('combobox', { name: 'Then by' });
    await chooseIn(page, index === 0 ? first : then, group);
  }
  await page.keyboard.press('Escape');
}

async function chooseMetrics(page: Page, metrics: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Number of records', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Metrics' });
  for (const [index, metric] of metrics.entries()) {
    if (index > 0) await dialog.getByRole('button', { name: 'Add metric' }).click();
    await chooseIn(page, dialog.getByRole('combobox').nth(index), metric);
  }
  await page.keyboard.press('Escape');
}

async function chooseIn(page: Page, box: Locator, name: string): Promise<void> {
  await box.fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

async function addFilter(
  page: Page,
  [field, operator, options]: NonNullable<ClickedReport['filter']>,
): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New filter' });
  await chooseIn(page, dialog.getByRole('combobox', { name: 'Field' }), field);
  await dialog.getByRole('combobox', { name: 'Condition' }).selectOption({ label: operator });
  for (const option of options) await dialog.getByLabel(option, { exact: true }).check();
  await dialog.getByRole('button', { name: 'Apply' }).click();
}

async function saveShared(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Visible to' }).selectOption('workspace');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function widenTile(
  page: Page,
  { name, width }: Pick<ClickedReport, 'name' | 'width'>,
): Promise<void> {
  const tile = page.locator('li[data-width]', {
    has: page.getByRole('link', { name, exact: true }),
  });
  const widthOf = async () => Number(await tile.getAttribute('data-width'));
  for (let now = await widthOf(); now < width; now += 1) {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Make wider' }).click();
  }
}
