// How a file writes its numbers and times, found from the texts of a column, and the words of a mapping that read them.
// Texts are taken one by one, so that every row of a file counts. Pure.

import {
  isInCalendar,
  parseTimeFormat,
  readFormatted,
  type TimeFormat,
  yearOf,
} from './time-formats.ts';

/** A part of a mapping: see definitions/mapping.schema.json. */
export interface WrittenForm {
  readonly format?: string;
  readonly first_year?: number;
  readonly timezone?: string;
  readonly replace?: readonly { readonly text: string; readonly with: string }[];
}

interface TimeForm {
  /** Undefined: the service reads it without a format. */
  readonly format: string | undefined;
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  readonly fits: (text: string) => boolean;
}

/** Forms of which a person has to choose one when there are others and the file does not say which. */
export interface FoundForms {
  readonly form: WrittenForm;
  /** Forms that fit all texts as well, and mean other values. */
  readonly others: readonly WrittenForm[];
}

export interface FoundTimes extends FoundForms {
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
}

/** The forms of dates, the preferred one first. */
const DATES = [
  ...['YYYY/M/D', 'YYYY.M.D', 'D.M.YYYY', 'D.M.YY', 'M/D/YYYY', 'D/M/YYYY', 'M/D/YY', 'D/M/YY'],
  ...['D-M-YYYY', 'M-D-YYYY', 'D MMM YYYY', 'D-MMM-YYYY', 'D-MMM-YY', 'D/MMM/YY', 'D/MMM/YYYY'],
  ...['MMM D, YYYY', 'MMMM D, YYYY', 'D MMMM YYYY', 'MMM D YYYY'],
] as const;
const TIMES = [
  ...[' H:mm', ' H:mm:ss', ' h:mm A', ' h:mm:ss A', ' h:mmA', ', H:mm', ', H:mm:ss', ', h:mm A'],
  ...[', h:mm:ss A', ' H:mm Z', ' H:mm:ss Z'],
] as const;

const ISO_DATE = '\\d{4}-\\d{2}-\\d{2}';
const ISO_TIME = '[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?';
const ISO_OFFSET = ' ?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)';

const FORMS: readonly TimeForm[] = [
  isoForm(ISO_DATE, { hasTime: false, hasOffset: false }),
  // A workbook has times at midnight as dates.
  isoForm(`${ISO_DATE}(?:${ISO_TIME})?`, { hasTime: true, hasOffset: false }),
  isoForm(ISO_DATE + ISO_TIME + ISO_OFFSET, { hasTime: true, hasOffset: true }),
  ...DATES.map(formOf),
  ...TIMES.flatMap((time) => ['YYYY-MM-DD', ...DATES].map((date) => formOf(date + time))),
];

function isoForm(pattern: string, has: Pick<TimeForm, 'hasTime' | 'hasOffset'>): TimeForm {
  const whole = new RegExp(`^${pattern}$`, 'i');
  return { format: undefined, ...has, fits: (text) => whole.test(text) && isInCalendar(text) };
}

function formOf(format: string): TimeForm {
  const parsed = parseTimeFormat(format) as TimeFormat;
  const { hasTime, hasOffset } = parsed;
  const fits = (text: string) => readFormatted(parsed, text) !== undefined;
  return { format, hasTime, hasOffset, fits };
}

/** Longer texts are not times. */
const LONGEST_TIME = 50;

export interface TimesFinder {
  add(text: string): void;
  /** Undefined: the texts are not times, or there are none. `mark`: that of the file (notation.ts). */
  finish(mark?: Mark): FoundTimes | undefined;
}

/**
 * Finds the form that all of the texts have, or the most frequent one of at least this share of them. Forms that a text
 * does not have are tried no more when all texts have to have them.
 */
export function openTimes(share = 1): TimesFinder {
  let alive = FORMS.map((form) => ({ form, count: 0 }));
  let all = 0;
  return {
    add(text) {
      all += 1;
      if (alive.length === 0) return;
      const isShort = text.length <= LONGEST_TIME;
      for (const one of alive) if (isShort && one.form.fits(text)) one.count += 1;
      if (share === 1) alive = alive.filter(({ count }) => count === all);
    },
    finish(mark) {
      const fitting = alive.filter(({ count }) => count > 0 && count >= share * all);
      const most = Math.max(...fitting.map(({ count }) => count));
      const best = fitting.filter(({ count }) => count === most).map(({ form }) => form);
      const [first] = best;
      if (first === undefined) return undefined;
      const { hasTime, hasOffset } = first;
      const { format } = first;
      // The service reads a text without a format in one way only.
      if (format === undefined) return { form: {}, others: [], hasTime, hasOffset };
      const forms = best.flatMap((one) => (one.format === undefined ? [] : { format: one.format }));
      return { ...inMark(forms, mark), hasTime, hasOffset };
    },
  };
}

export function findTimes(
  texts: readonly string[],
  share = 1,
  mark?: Mark,
): FoundTimes | undefined {
  const finder = openTimes(share);
  for (const text of texts) finder.add(text);
  return finder.finish(mark);
}

/** The mark that tells two readings apart: the decimal mark of numbers, the first part of days. */
export type Mark = '.' | ',' | 'D' | 'M';

export function markOf({ format, replace = [] }: WrittenForm): Mark {
  if (format !== undefined) return format.indexOf('D') < format.indexOf('M') ? 'D' : 'M';
  const drops = (mark: string) => replace.some(({ text, with: to }) => text === mark && to === '');
  const isComma = drops('.') || replace.some(({ text, with: to }) => text === ',' && to === '.');
  return isComma ? ',' : '.';
}

/** The form with this mark, else the first one. */
function inMark([first = {}, ...rest]: readonly WrittenForm[], mark: Mark | undefined): FoundForms {
  const wanted = rest.find((form) => markOf(form) === mark) ?? first;
  return { form: wanted, others: [first, ...rest].filter((form) => form !== wanted) };
}

/** True of a time at midnight, wherever that is: programs write days so. */
export function isMidnight(text: string): boolean {
  return /[T ]00:00(?::00(?:\.0+)?)?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?$/i.test(text);
}

/** True of a format that has two digits of the year, whose century the texts do not say. */
export function hasShortYears({ format = '' }: WrittenForm): boolean {
  return /(?<!Y)YY(?!Y)/.test(format);
}

/** The text as the form reads it, `2027-01-31` or with a time; undefined: it has another form. */
export function readTime(text: string, { format, first_year }: WrittenForm): string | undefined {
  if (format === undefined)
    return FORMS.slice(0, 3).some(({ fits }) => fits(text)) ? text : undefined;
  const parsed = parseTimeFormat(format);
  return typeof parsed === 'string' ? undefined : readFormatted(parsed, text, first_year);
}

/** The first year of the hundred that end with this year: days of birth are not in the future. */
export function lastHundredYears(today: Date): number {
  return Number(yearOf(today.getUTCFullYear() % 100, today.getUTCFullYear() - 99)) - 99;
}

/** Zones of Europe that no other zone shares its short name with. */
const SHORT_ZONES = /[([](CET|EET|WET|MET)[)\]]/;
/** Whole hours from UTC; the zones of the database count them the other way. */
const OFFSET = /(?<![\p{L}\d])(?:UTC|GMT)?\s?([+-])(\d{1,2})(?::?00)?(?=[)\]]|$)/u;

/** The zone that a heading names, such as `Created (UTC)`, `Start [Europe/Berlin]`, `Due (CET)` and `At (UTC+2)`. */
export function zoneInHeading(heading: string): string | undefined {
  const short = SHORT_ZONES.exec(heading)?.[1];
  if (short !== undefined) return short;
  const [offset, sign, hours] = OFFSET.exec(heading) ?? [];
  if (offset !== undefined && /UTC|GMT|:/.test(offset) && Number(hours) <= 12) {
    return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
  }
  if (/(?<![\p{L}\d])(?:UTC|GMT)(?![\p{L}\d+-]|\s*[+-]\s*\d)/u.test(heading)) return 'UTC';
  const name = /(?<![\p{L}/])[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_-]+){1,2}/u.exec(heading)?.[0];
  return name !== undefined && isZone(name) ? name : undefined;
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** `1.234` is a number with decimals or one of thousands. */
export interface FoundNumbers extends FoundForms {
  /** The texts have one of the marks that can be a decimal mark. */
  readonly isMarked: boolean;
  readonly isWhole: boolean;
  /** The largest without its sign. */
  readonly largest: number;
  /** ISO 4217, of the sign or the code that the texts have. */
  readonly currency: string | undefined;
  readonly isPercent: boolean;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
};
const SIGNS = '[€$£¥₹]';
const CODES = `(?:EUR|USD|GBP|CHF|JPY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|BRL|MXN|ZAR|CNY|INR|${SIGNS})`;
const UNIT_BEFORE = new RegExp(`^([+-]?)(${CODES}\\s?)`);
const UNIT_BEHIND = new RegExp(`(\\s?(?:${CODES}|%))$`);
/** Amounts below zero, as accountants write them. */
const BRACKETS = /^\((.*)\)$/;

const PLAIN = /^[+-]?\d+$/;
/** A number with zeros before it is a code. */
const ZEROS = /^[+-]?0\d/;
const POINTED = /^[+-]?\d*\.\d+(?:e[+-]?\d+)?$/i;
/** Thousands begin with no zero: `0.125` has decimals. */
const AFTER_POINT = /^[+-]?(?:\d|[1-9]\d{0,2}(?:[,'\u2019\u00a0\u202f ]\d{3})*)(?:\.\d+)?$/;
const AFTER_COMMA = /^[+-]?(?:\d|[1-9]\d{0,2}(?:[.'\u2019\u00a0\u202f ]\d{3})*)(?:,\d+)?$/;
const COMMA_ALONE = /^[+-]?\d+,\d+$/;
/** Digits that the service keeps, and the magnitude that it takes. */
const MOST_DIGITS = 15;
const TOO_LARGE = 1e15;

export interface NumbersFinder {
  add(text: string): void;
  /** Undefined: the texts are not numbers, or there are none. `mark`: that of the file (notation.ts). */
  finish(mark?: Mark): FoundNumbers | undefined;
}

/** Finds the form that all of the texts have. */
export function openNumbers(): NumbersFinder {
  const units = new Set<string>();
  const marks = new Set<string>();
  const fits = { point: true, comma: true };
  let hasBrackets = false;
  let largest = 0;
  let count = 0;
  const fail = () => {
    fits.point = false;
    fits.comma = false;
  };
  return {
    add(text) {
      count += 1;
      if (!fits.point && !fits.comma) return;
      const bare = bareNumber(text, (unit) => units.add(unit));
      hasBrackets ||= BRACKETS.test(text);
      const digits = bare.replaceAll(/\D/g, '');
      largest = Math.max(largest, Number(digits));
      const isPlain = PLAIN.test(bare);
      fits.point &&= isPlain || AFTER_POINT.test(bare) || POINTED.test(bare);
      fits.comma &&= isPlain || AFTER_COMMA.test(bare) || COMMA_ALONE.test(bare);
      if (ZEROS.test(bare) || digits.length > MOST_DIGITS) fail();
      if (POINTED.test(bare) && Math.abs(Number(bare)) >= TOO_LARGE) fail();
      for (const mark of bare.match(/[.,'\u2019\u00a0\u202f ]/g) ?? []) marks.add(mark);
    },
    finish(mark) {
      const names = new Set([...units].map((unit) => unit.trim()));
      if (count === 0 || names.size > 1 || (!fits.point && !fits.comma)) return undefined;
      const decimals = (['.', ','] as const).filter(
        (mark) => fits[mark === '.' ? 'point' : 'comma'],
      );
      const forms = decimals.map((decimal) =>
        formOfNumbers(units, { marks, decimal, hasBrackets }),
      );
      const isMarked = marks.has('.') || marks.has(',');
      const found = inMark(isMarked ? forms : forms.slice(0, 1), mark);
      const [name = ''] = names;
      return {
        ...{ ...found, largest, isMarked },
        isWhole: !marks.has(markOf(found.form)),
        currency: name === '' || name === '%' ? undefined : (CURRENCIES[name] ?? name),
        isPercent: name === '%',
      };
    },
  };
}

function bareNumber(text: string, onUnit: (unit: string) => void = () => undefined): string {
  const [, inner] = BRACKETS.exec(text) ?? [];
  const signed = inner === undefined ? text : `-${inner}`;
  const note = (unit: string) => {
    onUnit(unit);
    return '';
  };
  return signed
    .replace(UNIT_BEFORE, (_, sign: string, unit: string) => sign + note(unit))
    .replace(UNIT_BEHIND, note);
}

export function findNumbers(texts: readonly string[], mark?: Mark): FoundNumbers | undefined {
  const finder = openNumbers();
  for (const text of texts) finder.add(text);
  return finder.finish(mark);
}

interface Marks {
  readonly marks: ReadonlySet<string>;
  readonly decimal: '.' | ',';
  readonly hasBrackets: boolean;
}

function formOfNumbers(
  units: ReadonlySet<string>,
  { marks, decimal, hasBrackets }: Marks,
): WrittenForm {
  const dropped = [
    // A unit with a space contains the one without.
    ...[...units].toSorted((one, other) => other.length - one.length),
    ...[...marks].filter((mark) => mark !== decimal),
  ].map((text) => ({ text, with: '' }));
  const replace = [
    ...(hasBrackets
      ? [
          { text: '(', with: '-' },
          { text: ')', with: '' },
        ]
      : []),
    ...dropped,
    ...(decimal === ',' && marks.has(',') ? [{ text: ',', with: '.' }] : []),
  ];
  return replace.length === 0 ? {} : { replace };
}

/** The number that a text of this form is; NaN: none. */
export function readNumber(text: string, { replace = [] }: WrittenForm): number {
  const plain = replace.reduce((rest, one) => rest.replaceAll(one.text, one.with), text);
  return Number(plain.trim());
}

/** The texts that may be numbers: some cells of a column may have words instead. */
export function numberLike(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => {
    const bare = bareNumber(text);
    return /\d/.test(bare) && !/\p{L}/u.test(bare);
  });
}
