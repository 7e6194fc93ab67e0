// What axe finds on a page: by the rules of WCAG 2.2 AA, nothing is left out.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** One line for each element that breaks a rule. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await settled(page);
  await page.evaluate(source);
  const results = (await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(TAGS)} } })`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => {
      return `${id}: ${html.slice(0, 160)} ${failureSummary.split('\n')[1] ?? ''}`;
    }),
  );
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
