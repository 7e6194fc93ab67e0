// The colours of the application (ui/tokens.css): text is readable on every ground in both themes (WCAG 1.4.3), marks
// are visible (1.4.11), and styles have three weights and one red.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TINTS } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';

const source = join(import.meta.dirname, '..', 'src');
const text = readFileSync(join(source, 'ui', 'tokens.css'), 'utf8');

const light = tokensOf(':root');
const themes = {
  light,
  dark: { ...light, ...tokensOf(':root[data-mantine-color-scheme="dark"]') },
};

describe.each(Object.entries(themes))('in the %s theme', (_, tokens) => {
  const ratio = (one: string, other: string) =>
    contrast(tokens[one] as string, tokens[other] as string);

  test.each(TINTS)('text in %s is readable, and its mark visible', (tint) => {
    expect(ratio(`tint-${tint}-ink`, `tint-${tint}`)).toBeGreaterThanOrEqual(4.5);
    for (const ground of ['page', 'surface', 'hover', 'selected']) {
      expect(ratio(`tint-${tint}-ink`, ground), ground).toBeGreaterThanOrEqual(4.5);
      expect(ratio(`tint-${tint}-mark`, ground), ground).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(['ink', 'ink-dim', 'link', 'red'])('%s is readable on every ground', (ink) => {
    for (const ground of ['page', 'surface', 'hover', 'selected'])
      expect(ratio(ink, ground), ground).toBeGreaterThanOrEqual(4.5);
  });

  test('no two tints have the same colours', () => {
    for (const part of ['', '-ink', '-mark'])
      expect(new Set(TINTS.map((tint) => tokens[`tint-${tint}${part}`])).size).toBe(TINTS.length);
  });
});

test('the dark theme has colours of its own for each token of a colour', () => {
  const isColour = (value: string) => value.startsWith('#');
  const dark = tokensOf(':root[data-mantine-color-scheme="dark"]');
  const left = Object.keys(light).filter((name) => isColour(light[name] ?? '') && !(name in dark));
  expect(left).toEqual([]);
});

test('styles have three weights', () => {
  const weights = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !name.endsWith('fonts.css'))
    .flatMap((name) => [
      ...readFileSync(join(source, name), 'utf8').matchAll(/font-weight: ([^;]+);/g),
    ])
    .map(([, weight]) => weight as string);
  expect(weights.length).toBeGreaterThan(20);
  const known = ['400', '500', '600', 'inherit', 'var(--mantine-font-weight-medium)'];
  expect(weights.filter((weight) => !known.includes(weight))).toEqual([]);
});

/** The tokens of all rules with exactly this selector. */
function tokensOf(selector: string): Readonly<Record<string, string>> {
  const rules = [...text.matchAll(/(?:^|\n)([^\n{}]+) \{([^}]*)\}/g)];
  const own = rules.filter(([, name]) => name === selector).map(([, , body]) => body as string);
  const pairs = own.flatMap((body) => [...body.matchAll(/--([\w-]+): ([^;]+);/g)]);
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
}

/** The ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
