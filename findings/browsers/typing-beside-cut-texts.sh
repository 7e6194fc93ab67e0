#!/usr/bin/env bash
# One would believe: what a key in an input costs does not depend on the rest of the page when both are in elements with
# `contain: strict`, for nothing of the rest is laid out or painted.
# True: Chromium assigns everything that was painted to layers again with each letter, and each text that is cut by `overflow: hidden`
# (with an ellipsis, `overflow: clip` or `contain: paint` alike) is a piece of its own in it, whether it fits or not. 1,500 such texts
# take ten times and more of that step; as many that are not cut take little. An iframe, `content-visibility` and an invisible caret change
# nothing; `will-change: transform` on what holds the texts takes a third to a half off.
# Seen in Chromium 156.0.8078.108 of Debian, without a graphics card.
# A table of a service for records should draw few cells beyond those in view.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
browser=$(command -v chromium-headless-shell || command -v chromium)
"$browser" --version 2>/dev/null || true
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts playwright-core@1.65.1
cat >typing.js <<'JS'
import { chromium } from 'playwright-core';
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu'] });
const CUT = 'overflow:hidden;text-overflow:ellipsis;white-space:nowrap;';
const KEYS = 30;
const texts = (count, style) =>
  Array.from({ length: count }, (_, index) => {
    return `<span style="display:inline-block;width:60px;height:16px;${style}">text ${index}</span>`;
  }).join('');
async function layersOfKey(body, style = '') {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent(`<div style="contain:strict;width:300px;height:40px"><input></div>
    <div style="contain:strict;width:1200px;height:700px;font:11px/16px sans-serif;${style}">${body}</div>`);
  await page.locator('input').click();
  const tools = await page.context().newCDPSession(page);
  const events = [];
  tools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const over = new Promise((resolve) => tools.once('Tracing.tracingComplete', resolve));
  await tools.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press('a');
    await page.waitForTimeout(60);
  }
  await tools.send('Tracing.end');
  await over;
  await page.close();
  const steps = events.filter(({ name, ph }) => name === 'Layerize' && ph === 'X');
  return steps.reduce((sum, { dur }) => sum + dur, 0) / KEYS / 1000;
}
await layersOfKey('');
const found = {
  alone: await layersOfKey(''),
  plain: await layersOfKey(texts(1500, '')),
  cut: await layersOfKey(texts(1500, CUT)),
  own: await layersOfKey(texts(1500, CUT), 'will-change:transform'),
};
await browser.close();
const print = (value) => `${value.toFixed(2)} ms`;
console.log(`layers for a key: ${print(found.alone)} alone, ${print(found.plain)} beside 1,500 texts,
  ${print(found.cut)} where they are cut, ${print(found.own)} with a layer of their own`);
process.exitCode = found.cut > 5 * found.plain && found.own < 0.8 * found.cut ? 0 : 1;
JS
node typing.js "$browser"
