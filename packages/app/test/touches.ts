// Touches of a finger: a rest and a carry, and a swipe.

import type { Locator, Page } from 'playwright-core';

const STEPS = 20;

/** The finger rests, moves and is lifted. */
export async function carry(page: Page, from: Locator, to: Locator): Promise<void> {
  const { touch, close } = await pressOn(page, from);
  // Targets may have appeared.
  await touch('touchMove', await middleOf(to));
  await touch('touchEnd');
  await close();
}

/** The finger rests, moves to an edge of the screen, stays there until all has scrolled, and is lifted. */
export async function carryOverEdge(page: Page, from: Locator, edge: Point, to: Locator) {
  const { touch, close } = await pressOn(page, from);
  await touch('touchMove', edge);
  await to.and(page.locator('[data-target]')).waitFor();
  await page.waitForFunction(
    (board) => board !== null && board.scrollLeft + board.clientWidth >= board.scrollWidth - 1,
    await to.locator('..').elementHandle(),
  );
  await touch('touchEnd');
  await close();
}

async function pressOn(page: Page, from: Locator) {
  const finger = await fingerOn(page);
  const start = await middleOf(from);
  await finger.touch('touchStart', start);
  await page.locator('[data-held]').waitFor();
  await finger.touch('touchMove', { x: start.x + 1, y: start.y + 1 });
  return finger;
}

/** Without a rest, also on a busy machine. */
export async function swipe(page: Page, from: Locator, to: Locator): Promise<void> {
  const { touch, close } = await fingerOn(page);
  const [start, end] = [await middleOf(from), await middleOf(to)];
  await Promise.all([touch('touchStart', start), touch('touchMove', end), touch('touchEnd')]);
  await close();
}

/** A finger scrolls to the side in steps, from the element; `by`: CSS pixels that it moves to the right. */
export async function scrollSideways(page: Page, from: Locator, by: number): Promise<void> {
  const { touch, close } = await fingerOn(page);
  const { x, y } = await middleOf(from);
  await touch('touchStart', { x, y });
  for (let step = 1; step <= STEPS; step += 1)
    await touch('touchMove', { x: x + (by * step) / STEPS, y });
  await touch('touchEnd');
  await close();
}

async function fingerOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  return {
    touch: (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly Point[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] }),
    close: () => session.detach(),
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function middleOf(of: Locator): Promise<Point> {
  const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}
