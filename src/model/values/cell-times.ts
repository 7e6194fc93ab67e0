// Dates and times as files have them, in the unambiguous forms; any other text is passed on, and its field refuses
// it. Pure.

/** No form is longer; longer text is not parsed. */
const LONGEST = 64;
const ZONE = '(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)';
const TIME = new RegExp(
  `^(\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2})(:\\d{2})?(?:[.,](\\d{1,9}))? ?(${ZONE})?$`,
  'i',
);
const MIDNIGHT = new RegExp(
  `^(\\d{4}-\\d{2}-\\d{2})[T ]00:00(?::00(?:[.,]0{1,9})?)? ?${ZONE}?$`,
  'i',
);

/** Digits finer than a millisecond are cut off; seconds and the colon of the offset are optional. */
export function readTimeCell(text: string): string {
  const trimmed = text.trim();
  const match = trimmed.length > LONGEST ? null : TIME.exec(trimmed);
  if (match === null) return trimmed;
  const [, minutes, seconds = ':00', fraction, zone = ''] = match;
  const milliseconds = fraction === undefined ? '' : `.${fraction.slice(0, 3)}`;
  return `${minutes}${seconds}${milliseconds}${offsetOf(zone)}`;
}

/** A time at midnight is its day, wherever that is. */
export function readDateCell(text: string): string {
  const trimmed = text.trim();
  return (trimmed.length > LONGEST ? null : MIDNIGHT.exec(trimmed))?.[1] ?? trimmed;
}

/** The offset with hours and minutes, as in RFC 3339; '' when there is none. */
function offsetOf(zone: string): string {
  if (zone === '') return '';
  if (!/^[+-]/.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}
