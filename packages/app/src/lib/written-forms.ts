// How a file writes its numbers and times, found from the texts of a column, and the words of a mapping that read them.
// Pure.

/** A part of a mapping: see definitions/mapping.schema.json. */
export interface WrittenForm {
  readonly format?: string;
  readonly timezone?: string;
  readonly replace?: readonly { readonly text: string; readonly with: string }[];
}

interface TimeForm {
  /** Undefined: the service reads it without a format. */
  readonly format: string | undefined;
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  readonly pattern: RegExp;
}

export interface FoundTimes {
  readonly form: WrittenForm;
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  /** The other formats that fit all texts as well: the day or the month may come first. */
  readonly others: readonly string[];
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const LONG_MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const NUMBER_OF_MONTH = '(?:0?[1-9]|1[0-2])';

/** The formats of dates, the preferred ones first. */
const DATES: readonly (readonly [format: string, pattern: string])[] = [
  ['YYYY/M/D', `\\d{4}/${NUMBER_OF_MONTH}/${DAY}`],
  ['D.M.YYYY', `${DAY}\\.${NUMBER_OF_MONTH}\\.\\d{4}`],
  ['D.M.YY', `${DAY}\\.${NUMBER_OF_MONTH}\\.\\d{2}`],
  ['M/D/YYYY', `${NUMBER_OF_MONTH}/${DAY}/\\d{4}`],
  ['D/M/YYYY', `${DAY}/${NUMBER_OF_MONTH}/\\d{4}`],
  ['M/D/YY', `${NUMBER_OF_MONTH}/${DAY}/\\d{2}`],
  ['D/M/YY', `${DAY}/${NUMBER_OF_MONTH}/\\d{2}`],
  ['D-M-YYYY', `${DAY}-${NUMBER_OF_MONTH}-\\d{4}`],
  ['M-D-YYYY', `${NUMBER_OF_MONTH}-${DAY}-\\d{4}`],
  ['D MMM YYYY', `${DAY} ${MONTH} \\d{4}`],
  ['D-MMM-YYYY', `${DAY}-${MONTH}-\\d{4}`],
  ['D/MMM/YY', `${DAY}/${MONTH}/\\d{2}`],
  ['MMM D, YYYY', `${MONTH} ${DAY}, \\d{4}`],
  ['MMMM D, YYYY', `${LONG_MONTH} ${DAY}, \\d{4}`],
  ['D MMMM YYYY', `${DAY} ${LONG_MONTH} \\d{4}`],
];
const TIMES: readonly (readonly [format: string, pattern: string])[] = [
  [' H:mm', ' \\d{1,2}:\\d{2}'],
  [' H:mm:ss', ' \\d{1,2}:\\d{2}:\\d{2}'],
  [' h:mm A', ' \\d{1,2}:\\d{2} [AaPp][Mm]'],
  [' h:mm:ss A', ' \\d{1,2}:\\d{2}:\\d{2} [AaPp][Mm]'],
  [' h:mmA', ' \\d{1,2}:\\d{2}[AaPp][Mm]'],
];

const ISO_DATE = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const ISO_TIME = '[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?';
const ISO_OFFSET = ' ?(?:Z|UTC|[+-]\\d{2}(?::?\\d{2})?)';

const FORMS: readonly TimeForm[] = [
  timeForm(undefined, ISO_DATE, {}),
  timeForm(undefined, ISO_DATE + ISO_TIME, { hasTime: true }),
  timeForm(undefined, ISO_DATE + ISO_TIME + ISO_OFFSET, { hasTime: true, hasOffset: true }),
  ...DATES.map(([format, pattern]) => timeForm(format, pattern, {})),
  ...TIMES.flatMap(([time, after]) =>
    [['YYYY-MM-DD', ISO_DATE] as const, ...DATES].map(([format, pattern]) =>
      timeForm(format + time, pattern + after, { hasTime: true }),
    ),
  ),
];

function timeForm(
  format: string | undefined,
  pattern: string,
  {
    hasTime = false,
    hasOffset = false,
  }: { readonly hasTime?: boolean; readonly hasOffset?: boolean },
): TimeForm {
  return { format, hasTime, hasOffset, pattern: new RegExp(`^${pattern}$`, 'i') };
}

/**
 * The form that all of these texts have, or the most frequent one of at least this share of them; undefined: they are
 * not times, or there are none.
 */
export function findTimes(texts: readonly string[], share = 1): FoundTimes | undefined {
  if (texts.length === 0) return undefined;
  const counted = FORMS.map((form) => ({
    ...form,
    count: texts.filter((text) => form.pattern.test(text)).length,
  })).filter(({ count }) => count > 0 && count >= share * texts.length);
  const most = Math.max(...counted.map(({ count }) => count));
  const [found, ...otherFormats] = counted.filter(({ count }) => count === most);
  if (found === undefined) return undefined;
  const { format, hasTime, hasOffset } = found;
  return {
    form: format === undefined ? {} : { format },
    hasTime,
    hasOffset,
    others: otherFormats.flatMap((other) => other.format ?? []),
  };
}

export interface FoundNumbers {
  readonly form: WrittenForm;
  /** The other forms that fit all texts as well but give other numbers, such as `1.234` with decimals or thousands. */
  readonly others: readonly WrittenForm[];
  readonly isWhole: boolean;
  /** ISO 4217, of the sign or the code that the texts have. */
  readonly currency: string | undefined;
  readonly isPercent: boolean;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
};
const CODES = '(?:EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR)';
const UNIT = new RegExp(`^(${CODES}|[€$£¥])\\s?|\\s?(${CODES}|[€$£¥]|%)$`, 'g');

/** The form that all of these texts have; undefined: they are not numbers, or there are none. */
export function findNumbers(texts: readonly string[]): FoundNumbers | undefined {
  if (texts.length === 0) return undefined;
  const units = new Set<string>();
  const bare = texts.map((text) =>
    text.replaceAll(UNIT, (unit) => {
      units.add(unit);
      return '';
    }),
  );
  if (units.size > 1) return undefined;
  const [marks, ...otherMarks] = marksOf(bare);
  if (marks === undefined) return undefined;
  const [unit = ''] = units;
  const name = unit.trim();
  const form = formOfNumbers(unit, marks);
  const others = otherMarks.map((other) => formOfNumbers(unit, other));
  return {
    form,
    others: others.filter((other) =>
      texts.some((text) => readNumber(text, other) !== readNumber(text, form)),
    ),
    isWhole: marks.decimal === undefined,
    currency: name === '' || name === '%' ? undefined : (CURRENCIES[name] ?? name),
    isPercent: name === '%',
  };
}

function formOfNumbers(unit: string, { decimal, grouping }: Marks): WrittenForm {
  const replace = [
    ...(unit === '' ? [] : [{ text: unit, with: '' }]),
    ...grouping.map((text) => ({ text, with: '' })),
    ...(decimal === ',' ? [{ text: ',', with: '.' }] : []),
  ];
  return replace.length === 0 ? {} : { replace };
}

/** The number that a text of this form is; NaN: none. */
export function readNumber(text: string, { replace = [] }: WrittenForm): number {
  const plain = replace.reduce((rest, one) => rest.replaceAll(one.text, one.with), text);
  return Number(plain.trim());
}

interface Marks {
  readonly decimal: '.' | ',' | undefined;
  readonly grouping: readonly string[];
}

const PLAIN = /^[+-]?\d+$/;
/** A number with zeros before it is a code, and more digits are not kept. */
const CODE = /^[+-]?0\d|\d{16}/;
const POINTED = /^[+-]?\d*\.\d+(?:e[+-]?\d+)?$/i;
const AFTER_POINT = /^[+-]?\d{1,3}(?:[,'\u2019\u00a0\u202f ]\d{3})*(?:\.\d+)?$/;
const AFTER_COMMA = /^[+-]?\d{1,3}(?:[.'\u2019\u00a0\u202f ]\d{3})*(?:,\d+)?$/;
const COMMA_ALONE = /^[+-]?\d+,\d+$/;

/** The texts that may be numbers; some cells of a column may be words. */
export function numberLike(texts: readonly string[]): readonly string[] {
  return texts.filter(
    (text) => /\d/.test(text.replaceAll(UNIT, '')) && !/\p{L}/u.test(text.replaceAll(UNIT, '')),
  );
}

/**
 * The ways in which a column may mark thousands and decimals, the more likely one first: `1.234` alone is a decimal,
 * because most files have no groups.
 */
function marksOf(texts: readonly string[]): readonly Marks[] {
  if (texts.some((text) => CODE.test(text))) return [];
  if (texts.every((text) => PLAIN.test(text))) return [{ decimal: undefined, grouping: [] }];
  const fits = (...patterns: readonly RegExp[]) =>
    texts.every((text) => patterns.some((pattern) => pattern.test(text)));
  const found = new Set(texts.flatMap((text) => text.match(/[.,'\u2019\u00a0\u202f ]/g) ?? []));
  const marks = (decimal: '.' | ','): Marks => ({
    decimal: found.has(decimal) ? decimal : undefined,
    grouping: [...found].filter((mark) => mark !== decimal),
  });
  return [
    ...(fits(PLAIN, AFTER_POINT, POINTED) ? [marks('.')] : []),
    ...(fits(PLAIN, AFTER_COMMA, COMMA_ALONE) ? [marks(',')] : []),
  ];
}
