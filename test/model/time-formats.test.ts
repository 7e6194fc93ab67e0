// Times as files write them: every part of a format, invalid formats, and the clocks of zones.

import { describe, expect, test } from 'vitest';
import { inTimeZone, parseTimeFormat, readFormatted } from '../../src/model/time-formats.ts';

function read(format: string, text: string): unknown {
  const parsed = parseTimeFormat(format);
  if (typeof parsed === 'string') throw new Error(parsed);
  const found = readFormatted(parsed, text);
  return 'value' in found ? found.value : found.problem;
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
  ['DD.MM.YYYY', '1.2.2026', 'must be a date as DD.MM.YYYY'],
  ['DD.MM.YYYY', '01-02-2026', 'must be a date as DD.MM.YYYY'],
  ['DD.MM.YYYY', '01.02.20266', 'must be a date as DD.MM.YYYY'],
  ['M/D/YY h:mm A', '1/1/70 13:00 PM', '1970-01-01T99:00:00.000'],
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

describe('in a zone', () => {
  const moved = (text: string, zone = 'Europe/Berlin') => {
    const found = inTimeZone(text, zone);
    return 'value' in found ? found.value : found.problem;
  };

  test.each([
    ['2026-01-15T10:00:00', '2026-01-15T09:00:00.000Z'],
    ['2026-07-15 10:00:00.5', '2026-07-15T08:00:00.500Z'],
    ['2026-07-15', '2026-07-14T22:00:00.000Z'],
    // The clocks go back on 25 October at 3: of 02:30 the first one is meant.
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    ['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    ['1880-01-01T00:00:00', '1879-12-31T23:06:32.000Z'],
    ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00Z'],
    ['2026-01-15T10:00:00+05:00', '2026-01-15T10:00:00+05:00'],
    ['soon', 'soon'],
    // Days and hours that do not exist are not those after them.
    ['2026-02-29T10:00:00', '2026-02-29T10:00:00'],
    ['2026-04-31', '2026-04-31'],
    ['2026-04-30T24:00:00', '2026-04-30T24:00:00'],
  ])('%s', (text, expected) => {
    expect(moved(text)).toBe(expected);
  });

  test('an hour that is skipped is not a time', () => {
    expect(moved('2026-03-29T02:30:00')).toBe(
      'is no time in Europe/Berlin: the clocks go forward there',
    );
  });

  /** Each of these days the clocks of one of the zones change. */
  const CHANGES = ['03-08', '03-29', '04-05', '10-04', '10-25', '11-01'];

  test('every half hour around a change is found again, in zones of every kind', () => {
    const day = 24 * 3_600_000;
    const middle = CHANGES.map((date) => Date.parse(`2026-${date}T12:00:00Z`));
    const isNear = (moment: number) => middle.some((noon) => Math.abs(noon - moment) < 1.5 * day);
    const halves = Array.from({ length: 365 * 48 }, (_, half) =>
      Date.UTC(2026, 0, 1, 0, half * 30),
    );
    const moments = halves.filter((moment, half) => isNear(moment) || half % 13 === 0);
    const zones = ['UTC', 'CET', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
    for (const timeZone of zones) {
      const clock = new Intl.DateTimeFormat('sv-SE', {
        ...{ timeZone, dateStyle: 'short', timeStyle: 'medium' },
      });
      const seen = new Set<string>();
      for (const moment of moments) {
        const local = clock.format(moment);
        if (!seen.has(local)) expect(moved(local, timeZone)).toBe(new Date(moment).toISOString());
        seen.add(local);
      }
    }
  });
});
