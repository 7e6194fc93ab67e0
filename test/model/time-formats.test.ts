// Times as files write them: every part of a format, invalid formats, and local times.

import { expect, test } from 'vitest';
import { parseTimeFormat, readFormatted } from '../../packages/tables/src/time-formats.ts';
import { localTimeIn } from '../../src/model/values/local-time.ts';

function read(format: string, text: string): string | undefined {
  const parsed = parseTimeFormat(format);
  if (typeof parsed === 'string') throw new Error(parsed);
  return readFormatted(parsed, text);
}

test.each([
  ['DD.MM.YYYY', '01.02.2026', '2026-02-01'],
  ['M/D/YYYY', '1/2/2026', '2026-01-02'],
  ['D/M/YYYY', '1/2/2026', '2026-02-01'],
  ['DD/MMM/YY HH:mm', '30/Sep/21 17:20', '2021-09-30T17:20:00.000'],
  ['MMMM D, YYYY', 'february 3, 1999', '1999-02-03'],
  ['M/D/YY h:mm A', '12/31/69 12:05 AM', '2069-12-31T00:05:00.000'],
  ['M/D/YY hh:mm:ss A', '1/1/70 12:00:01 pm', '1970-01-01T12:00:01.000'],
  ['YYYYMMDD', '20260131', '2026-01-31'],
  ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2026-01-31T10:00:00.123456+0100', '2026-01-31T10:00:00.123+0100'],
  ['DD.MM.YYYY HH:mm Z', '01.02.2026 10:00 UTC', '2026-02-01T10:00:00.000UTC'],
  ['DD.MM.YYYY', '1.2.2026', undefined],
  ['DD.MM.YYYY', '01-02-2026', undefined],
  ['DD.MM.YYYY', '01.02.20266', undefined],
  ['M/D/YY h:mm A', '1/1/70 13:00 PM', undefined],
  ['D.M.YYYY', '31.02.2026', undefined],
  ['D.M.YYYY', '29.02.2024', '2024-02-29'],
  ['D.M.YYYY H:mm', '1.2.2026 24:00', undefined],
])('%s reads %s', (format, text, expected) => {
  expect(read(format, text)).toBe(expected);
});

test.each([
  ['YYYY-MM', 'must have one year (YYYY), one month (MM) and one day (DD)'],
  ['DD.MM.YYYY YYYY', 'must have one year (YYYY), one month (MM) and one day (DD)'],
  ['dd.MM.YYYY', 'has "d", which is none of'],
  ['DD.MM.YYYY HH', 'must have hours (HH) and minutes (mm) or neither'],
  ['DD.MM.YYYY hh:mm', 'must have each part once, and A with hh only'],
  ['DD.MM.YYYY HH:mm A', 'must have each part once, and A with hh only'],
  ['DD.MM.YYYY HH:mm:mm', 'must have each part once, and A with hh only'],
])('%s is not a format', (format, problem) => {
  expect(parseTimeFormat(format)).toContain(problem);
});

test.each([
  ['2026-01-15T10:00:00', '2026-01-15T10:00:00.000'],
  ['2026-07-15 10:00:00.5', '2026-07-15T10:00:00.500'],
  ['2026-07-15', '2026-07-15T00:00:00.000'],
  ['2026-01-15T10:00:00Z', undefined],
  ['2026-01-15T10:00:00+05:00', undefined],
  ['soon', undefined],
  // Days and hours that do not exist are not those after them.
  ['2026-02-29T10:00:00', undefined],
  ['2026-04-31', undefined],
  ['2026-04-30T24:00:00', undefined],
])('the local time in %s', (text, expected) => {
  expect(localTimeIn(text)).toBe(expected);
});
