import type { Field } from '@workspace-records/client';
import { moneyOptions } from '../lib/format.ts';
import { typedNumber } from './number-text.ts';
import { numeric } from './plain.tsx';

function format({ constraints }: Field): Intl.NumberFormatOptions {
  const currency = constraints?.currency;
  if (typeof currency !== 'string') return { minimumFractionDigits: 2, maximumFractionDigits: 15 };
  return { ...moneyOptions(currency), maximumFractionDigits: 15 };
}

/** The sign of the currency after a typed value, as after a shown one. */
function unit({ constraints }: Field, locale: string): string | undefined {
  const currency = constraints?.currency;
  if (typeof currency !== 'string') return undefined;
  const parts = new Intl.NumberFormat(locale, moneyOptions(currency)).formatToParts(0);
  return parts.find((part) => part.type === 'currency')?.value;
}

/** `$1,200`, `1.200 €` and `USD 1,200` are amounts in the currency of the field, which no text changes. */
const AROUND = /\p{Sc}|(?<!\p{L})\p{Lu}{3}(?!\p{L})/gu;

export const currency = numeric({
  name: 'type.currency',
  example: 'type.currencyExample',
  icon: 'M11.500 4.800C10.900 3.900 9.700 3.300 8 3.300c-1.900 0-3.300 1-3.300 2.400 0 3.300 7 1.500 7 4.700 0 1.500-1.500 2.500-3.700 2.500-1.800 0-3.200-.7-3.800-1.800M8 1.800v12.400',
  width: 132,
  format,
  unit,
  parse: typedNumber('edit.notNumber', AROUND),
  firstOn: { card: 0, head: 0, linked: 0 },
});
