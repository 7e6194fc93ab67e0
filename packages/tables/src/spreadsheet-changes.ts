// Values that a spreadsheet may have changed when a file went through it: exponents and zeros in place of digits, codes
// that became days, errors, zeros that are gone. Values are taken one by one. Pure.

export type SpreadsheetChange = 'exponents' | 'digits' | 'dates' | 'errors' | 'zeros';

/** The ends of sentences such as "3 values of code have an exponent in place of digits". */
export const CHANGE_TEXTS: Readonly<Record<SpreadsheetChange, string>> = {
  exponents: 'have an exponent in place of digits',
  digits: 'have zeros in place of their last digits',
  dates: 'are days, and may have been codes',
  errors: 'are errors of a spreadsheet',
  zeros: 'may have lost the zeros before their digits',
};

export interface ChangedValues {
  readonly change: SpreadsheetChange;
  /** Values that look like it. */
  readonly values: number;
  /** The first of them. */
  readonly example: string;
}

const MONTHS = 'jan|feb|m[aä]r|mrz|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]';
const SHAPES: Readonly<Record<Exclude<SpreadsheetChange, 'zeros'>, RegExp>> = {
  errors: /^#(?:NAME\?|REF!|VALUE!|DIV\/0!|N\/A|NUM!|NULL!|##+)$/,
  exponents: /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/i,
  // Spreadsheets keep 15 digits.
  digits: /^[+-]?\d{15}0+$/,
  dates: new RegExp(`^(?:\\d{1,2}[-.] ?(?:${MONTHS})\\.?|(?:${MONTHS})-\\d{2})$`, 'i'),
};
/** Most texts are none of these, and files have many. */
const MAY_BE = /^[#\d+-]|-\d\d$/;
const LONGEST = 40;

/** Digits of these lengths are codes of a fixed length when most of them have it. */
const FIXED_LENGTH = 4;
const FEWEST = 10;
const MOSTLY = 0.8;
/** More zeros are seldom lost: the numbers of a sequence have all lengths. */
const MOST_LOST = 2;

interface ColumnUse {
  /** Dates and lost zeros are changes of texts alone. */
  readonly isText: boolean;
  /** Dates and times have days and no numbers. */
  readonly isTime: boolean;
  /** True of digits that a record has with zeros before them. */
  readonly hasLostZeros: (digits: string) => boolean;
}

/** Counts the changes of the values of one column. */
export function openSpreadsheetChanges({ isText, isTime, hasLostZeros }: ColumnUse) {
  const changed = new Map<SpreadsheetChange, ChangedValues>();
  const lengths = new Map<number, { count: number; first: string }>();
  let count = 0;
  let isOfDigits = isText;
  const note = (change: SpreadsheetChange, example: string) => {
    const { values = 0, example: first = example } = changed.get(change) ?? {};
    changed.set(change, { change, values: values + 1, example: first });
  };
  const changes = (Object.keys(SHAPES) as (keyof typeof SHAPES)[]).filter(
    (change) => change === 'errors' || (!isTime && (change !== 'dates' || isText)),
  );
  return {
    add(text: string) {
      count += 1;
      isOfDigits &&= /^[1-9]\d{0,14}$/.test(text);
      if (text.length > LONGEST) return;
      const change = MAY_BE.test(text) ? changes.find((one) => SHAPES[one].test(text)) : undefined;
      if (change !== undefined) note(change, text);
      if (isText && hasLostZeros(text)) note('zeros', text);
      if (!isOfDigits) return;
      const known = lengths.get(text.length);
      lengths.set(text.length, { count: (known?.count ?? 0) + 1, first: known?.first ?? text });
    },
    found(): readonly ChangedValues[] {
      const shorter = isOfDigits && count >= FEWEST ? shorterOf(lengths, count) : undefined;
      if (shorter !== undefined && !changed.has('zeros')) changed.set('zeros', shorter);
      return [...changed.values()];
    },
  };
}

/** The digits that are a little shorter than most of a column, when none are longer. */
function shorterOf(
  lengths: ReadonlyMap<number, { readonly count: number; readonly first: string }>,
  count: number,
): ChangedValues | undefined {
  const longest = Math.max(...lengths.keys());
  const shortest = Math.min(...lengths.keys());
  const usual = lengths.get(longest)?.count ?? 0;
  const isFixed = longest >= FIXED_LENGTH && usual >= count * MOSTLY;
  if (!isFixed || shortest === longest || shortest < longest - MOST_LOST) return undefined;
  const example = lengths.get(shortest)?.first ?? '';
  return { change: 'zeros', values: count - usual, example };
}
