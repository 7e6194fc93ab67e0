// The rules of the definition for a value, as far as they can be checked here: lengths and bounds. The service checks
// patterns, uniqueness and all other rules.

import type { Field } from '@workspace-records/client';
import type { Translate } from './messages/index.ts';

/** One sentence, or undefined. */
export function ruleProblem(field: Field, value: unknown, t: Translate): string | undefined {
  if (value === null) return field.required ? t('rule.required') : undefined;
  if (typeof value === 'string') return textProblem(field, value, t);
  if (typeof value === 'number') return numberProblem(field, value, t);
  return undefined;
}

/** Characters are counted as people count most of them: one for each code point. */
function textProblem(field: Field, value: string, t: Translate): string | undefined {
  const { minLength, maxLength } = boundsOf(field);
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) return t('rule.short', { bound: minLength });
  if (maxLength !== undefined && length > maxLength) return t('rule.long', { bound: maxLength });
  return undefined;
}

function numberProblem(field: Field, value: number, t: Translate): string | undefined {
  const { minimum, maximum } = boundsOf(field);
  if (minimum !== undefined && value < minimum) return t('rule.small', { bound: minimum });
  if (maximum !== undefined && value > maximum) return t('rule.large', { bound: maximum });
  return undefined;
}

type Bound = 'minLength' | 'maxLength' | 'minimum' | 'maximum';

function boundsOf({ constraints = {} }: Field): Readonly<Partial<Record<Bound, number>>> {
  const numbers = Object.entries(constraints).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(numbers);
}
