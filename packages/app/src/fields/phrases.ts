// The operators of the service in plain words, in groups that types of fields share.

import type { Phrase } from './field-filter.ts';

const ONE = { takes: 'one' } as const;
const LIST = { takes: 'list' } as const;
const PART = { takes: 'one', isPart: true } as const;

const eq: Phrase = { id: 'eq', op: 'eq', ...ONE, label: 'filter.is' };
const ne: Phrase = { id: 'ne', op: 'ne', ...ONE, label: 'filter.isNot' };
const isIn: Phrase = { id: 'in', op: 'in', ...LIST, label: 'filter.isAnyOf' };
const notIn: Phrase = { id: 'not_in', op: 'not_in', ...LIST, label: 'filter.isNoneOf' };
const between: Phrase = { id: 'between', op: 'between', takes: 'two', label: 'filter.isBetween' };

/** The phrases that ask for a value of any kind; every field has these. */
export const PRESENCE: readonly Phrase[] = [
  { id: 'empty', op: 'is_null', takes: 'nothing', label: 'filter.isEmpty' },
  { id: 'filled', op: 'is_null', takes: 'nothing', label: 'filter.isFilled' },
];

export const CHOICE_PHRASES: readonly Phrase[] = [isIn, notIn, eq, ne, ...PRESENCE];

export const NUMBER_PHRASES: readonly Phrase[] = [
  { id: 'gt', op: 'gt', ...ONE, label: 'filter.isMore', sign: '>' },
  { id: 'gte', op: 'gte', ...ONE, label: 'filter.isAtLeast', sign: '≥' },
  { id: 'lt', op: 'lt', ...ONE, label: 'filter.isLess', sign: '<' },
  { id: 'lte', op: 'lte', ...ONE, label: 'filter.isAtMost', sign: '≤' },
  between,
  { ...eq, sign: '=' },
  { ...ne, sign: '≠' },
  isIn,
  notIn,
  ...PRESENCE,
];

export const TIME_PHRASES: readonly Phrase[] = [
  { id: 'within', op: 'between', takes: 'period', label: 'filter.isIn' },
  { id: 'gt', op: 'gt', ...ONE, label: 'filter.isAfter' },
  { id: 'gte', op: 'gte', ...ONE, label: 'filter.isFrom' },
  { id: 'lt', op: 'lt', ...ONE, label: 'filter.isBefore' },
  { id: 'lte', op: 'lte', ...ONE, label: 'filter.isUntil' },
  between,
  eq,
  ne,
  isIn,
  notIn,
  ...PRESENCE,
];

export const TEXT_PHRASES: readonly Phrase[] = [
  { id: 'contains', op: 'contains', ...PART, label: 'filter.contains' },
  eq,
  ne,
  { id: 'starts_with', op: 'starts_with', ...PART, label: 'filter.startsWith' },
  { id: 'ends_with', op: 'ends_with', ...PART, label: 'filter.endsWith' },
  isIn,
  notIn,
  ...PRESENCE,
  { id: 'gt', op: 'gt', ...ONE, label: 'filter.comesAfter' },
  { id: 'gte', op: 'gte', ...ONE, label: 'filter.comesFrom' },
  { id: 'lt', op: 'lt', ...ONE, label: 'filter.comesBefore' },
  { id: 'lte', op: 'lte', ...ONE, label: 'filter.comesUntil' },
  between,
];

/** `eq` and `in` of such a field test whether it has one of the values. */
export const LIST_PHRASES: readonly Phrase[] = [
  { id: 'has_any', op: 'has_any', ...LIST, label: 'filter.hasAny' },
  { id: 'has_all', op: 'has_all', ...LIST, label: 'filter.hasAll' },
  { id: 'has_none', op: 'has_none', ...LIST, label: 'filter.hasNone' },
  { id: 'eq', op: 'eq', ...ONE, label: 'filter.has' },
  { id: 'in', op: 'in', ...LIST, label: 'filter.hasOneOf' },
  ...PRESENCE,
];
