// Whole numbers that are years: people never write 1,993 for one (D347).

import type { Field } from '@workspace-records/client';

/** A word of the key or the name that is, or ends in, a year: `year_established`, `Baujahr`. */
const YEAR = /(?:^|[^\p{L}])(?:year|\p{L}*jahr)(?=$|[^\p{L}])/iu;
/** Names of numbers per year, which are not years. */
const PER_YEAR = /(?:^|[^\p{L}])(?:per|a|each|pro|je|im)[\s_-]+(?:year|jahr)/iu;

export function isYear({ key, name }: Pick<Field, 'key' | 'name'>): boolean {
  const texts = [key, name ?? ''];
  return texts.some((text) => YEAR.test(text)) && !texts.some((text) => PER_YEAR.test(text));
}
