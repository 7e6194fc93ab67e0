// Decimal numbers as text: how many digits they have, and whether a JSON number, which readers take for
// a double, still says the same. All of it is linear in the length of the text, which a client chooses.

/** Sign, digits before and after the point, exponent; JSON writes no other numbers. */
const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;

/** Digits a double keeps whatever they are. */
const KEPT_DIGITS = 15;

/** The number as `digits` without zeros at its ends, times ten to the `exponent`. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Digits without zeros before the first and after the last other one. */
export function significantDigits(text: string): number {
  return parseDecimal(text)?.digits.length ?? 0;
}

/**
 * True when the nearest double, printed, is the same number: `0.30`, but not
 * `123456789012345.001`.
 */
export function survivesDouble(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const decimal = parseDecimal(text);
  if (decimal === undefined) return false;
  if (decimal.digits.length <= KEPT_DIGITS && decimal.digits !== '' && isOrdinary(value))
    return true;
  const stored = parseDecimal(String(value)) as Decimal;
  return (
    decimal.digits === stored.digits &&
    (decimal.digits === '' ||
      (decimal.negative === stored.negative && decimal.exponent === stored.exponent))
  );
}

/** The most digits that are rounded: no field takes longer numbers, and rounding them would take time. */
const ROUNDED_DIGITS = 100;

/** The number with so many decimal places, a half away from zero; undefined: it is none. */
export function roundDecimal(text: string, places: number): number | undefined {
  const given = parseDecimal(text);
  if (given === undefined) return undefined;
  const { negative, digits, exponent } = given;
  const dropped = -exponent - places;
  if (dropped <= 0) return survivesDouble(text) ? Number(text) : undefined;
  if (digits.length > ROUNDED_DIGITS) return undefined;
  const kept = digits.slice(0, Math.max(0, digits.length - dropped));
  const isUp = dropped <= digits.length && (digits[digits.length - dropped] ?? '0') >= '5';
  const rounded = `${BigInt(kept || '0') + (isUp ? 1n : 0n)}e${-places}`;
  if (!survivesDouble(rounded)) return undefined;
  const value = Number(rounded);
  return negative && value !== 0 ? -value : value;
}

/** Far from where doubles have fewer digits. */
function isOrdinary(value: number): boolean {
  const size = Math.abs(value);
  return size > 1e-300 && size < 1e300;
}

function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', part = '', onlyPart = '', exponent = '0'] = match;
  const fraction = part + onlyPart;
  const all = whole + fraction;
  // Loops and not `/0+$/`, which takes quadratic time.
  let start = 0;
  while (all.charCodeAt(start) === 0x30) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === 0x30) end -= 1;
  const shift = all.length - end - fraction.length;
  return {
    negative: sign === '-',
    digits: all.slice(start, end),
    exponent: Number(exponent) + shift,
  };
}
