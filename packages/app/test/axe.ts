// The findings of axe on a page by the rules of WCAG 2.2 AA, without exceptions.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { IS_LONG } from '../../../test/until.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const ALL = { type: 'tag', values: TAGS };
/** The rules whose outcome another theme changes. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * One line for each element that breaks a rule, in the theme of the page and in the other one. Of the states of a page
 * a commit looks at the theme that is shown, and at both once for each page.
 */
export async function axeFindings(
  page: Page,
  themes: 'shown' | 'both' = IS_LONG ? 'both' : 'shown',
): Promise<readonly string[]> {
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const found = await findingsOf(page, ALL);
  return themes === 'both' ? [...found, ...(await findingsInOther(page))] : found;
}

async function findingsOf(page: Page, runOnly: typeof ALL): Promise<readonly string[]> {
  const options = { runOnly, resultTypes: ['violations'], preload: false };
  const results = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)})`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => {
      return `${id}: ${html.slice(0, 160)} ${failureSummary.split('\n')[1] ?? ''}`;
    }),
  );
}

async function findingsInOther(page: Page): Promise<readonly string[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [present, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await showIn(page, other);
  const found = await findingsOf(page, OF_COLOURS);
  await showIn(page, present);
  return found.map((finding) => `${other}: ${finding}`);
}

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(
    (scheme) => document.documentElement.dataset.mantineColorScheme === scheme,
    colorScheme,
  );
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await settled(page);
}

/** Colours in the middle of a transition are none that anybody reads. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => {
      const isEndless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
      return isEndless || playState !== 'running';
    }),
  );
}
