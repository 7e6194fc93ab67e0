// The program that wrote a file, recognised by the headings of its exports. Columns that a preset does not name are
// matched like those of any file. Pure.

import { plainName } from '../concepts.ts';
import { keysOf } from '../field-keys.ts';
import type { GuessedField } from '../guess.ts';
import { CRM_PRESETS } from './crm-presets.ts';
import { PEOPLE_PRESETS } from './people-presets.ts';
import { type Preset, presetConcept, sourceIdName } from './preset.ts';
import { SHOP_PRESETS } from './shop-presets.ts';
import { WORK_PRESETS } from './work-presets.ts';

const PRESETS: readonly Preset[] = [
  ...CRM_PRESETS,
  ...WORK_PRESETS,
  ...PEOPLE_PRESETS,
  ...SHOP_PRESETS,
];

/** The programs with presets. */
export const PRODUCTS: readonly string[] = [...new Set(PRESETS.map(({ product }) => product))];

/** So many headings of a file are those of the preset, of which at least this share is there. */
const FEWEST = 4;
const SHARE = 0.6;
/** Exports of a few programs have these many columns that people add. */
const MANY = 8;

/**
 * The preset whose headings the file has; of `product` alone, when it is given, then with fewer of its headings.
 * Undefined: no program is recognised.
 */
export function findPreset(headings: readonly string[], product?: string): Preset | undefined {
  const plain = [...new Set(headings.map(plainName))];
  const scored = PRESETS.filter((one) => product === undefined || one.product === product)
    .map((preset) => {
      const found = plain.filter((name) => preset.columns.has(name)).length;
      return { preset, found, share: found / Math.max(1, plain.length) };
    })
    .filter(({ found, share }) =>
      product === undefined ? found >= FEWEST && (share >= SHARE || found >= MANY) : found > 0,
    );
  const [best] = scored.toSorted(
    (one, other) => other.found - one.found || one.preset.columns.size - other.preset.columns.size,
  );
  return best?.preset;
}

/** The ids of the program become a unique field, so that a second export updates the records of the first. */
export function withSourceIds(
  guesses: readonly GuessedField[],
  preset: Preset | undefined,
): readonly GuessedField[] {
  if (preset === undefined) return guesses;
  const taken = guesses.map(({ key }) => key);
  const at = guesses.findIndex(({ name }) => presetConcept(preset, name) === 'sourceId');
  return guesses.map((guess, index) => {
    if (index !== at) return guess;
    const name = sourceIdName(preset);
    const [key = guess.key] = keysOf([name], taken);
    const { options: _, others: _others, by: _by, ...plain } = guess;
    const type = guess.type === 'url' ? 'url' : 'text';
    return { ...plain, type, form: {}, key, name, isUnique: true, reason: { rule: 'source' } };
  });
}
