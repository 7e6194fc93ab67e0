// Numbers as people of a language type them: `1.234,5` in German is `1,234.5` in English.

/** A number without separators between thousands, so that people can continue to type. */
export function printNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    maximumFractionDigits: 15,
  }).format(value);
}

/** Undefined: not a number. Marks between thousands must be at the right places, or `1.5` would be 15. */
export function parseNumber(text: string, locale: string): number | undefined {
  const { group, decimal } = marksOf(locale);
  const [whole = '', fraction, ...rest] = text.replaceAll(/[\s\u00a0\u202f']/g, '').split(decimal);
  if (rest.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined;
  const [first = '', ...thousands] = whole.replace(/^[-−]/, '').split(group);
  const isGrouped = thousands.length > 0;
  if (!(isGrouped ? /^\d{1,3}$/ : /^\d*$/).test(first)) return undefined;
  if (!thousands.every((part) => /^\d{3}$/.test(part))) return undefined;
  const digits = [first, ...thousands].join('');
  if (digits + (fraction ?? '') === '') return undefined;
  const value = Number(`${digits || '0'}.${fraction || '0'}`);
  return /^[-−]/.test(whole) ? -value : value;
}

function marksOf(locale: string) {
  const parts = new Intl.NumberFormat(locale).formatToParts(1234.5);
  const markOf = (kind: string) => parts.find(({ type }) => type === kind)?.value ?? '';
  return { group: markOf('group'), decimal: markOf('decimal') };
}
