import type { Field } from '@workspace-records/client';
import { numberShow } from '../number/show.tsx';

/** Amounts keep to the two digits of their currency, unless there are more. */
function optionsOf({ constraints }: Field): Intl.NumberFormatOptions {
  const currency = constraints?.currency;
  if (typeof currency !== 'string') return { minimumFractionDigits: 2, maximumFractionDigits: 15 };
  return {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 15,
  };
}

export const currency = numberShow(optionsOf);
