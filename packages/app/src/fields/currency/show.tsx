import type { Field } from '@workspace-records/client';
import { moneyOptions } from '../../lib/format.ts';
import { numberShow } from '../number/show.tsx';

function optionsOf({ constraints }: Field): Intl.NumberFormatOptions {
  const currency = constraints?.currency;
  if (typeof currency !== 'string') return { minimumFractionDigits: 2, maximumFractionDigits: 15 };
  return { ...moneyOptions(currency), maximumFractionDigits: 15 };
}

export const currency = numberShow(optionsOf);
