// The dates of the demo: days before and after the day on which it is made.

import { expect, test } from 'vitest';
import { datedText } from '../../src/cli/service/dated-file.ts';

/** A Friday and a Sunday. */
const FRIDAY = new Date('2026-11-27T10:20:00.000Z');
const SUNDAY = new Date('2026-11-29T10:20:00.000Z');

test.each([
  [FRIDAY, '{today}', '2026-11-27'],
  [FRIDAY, '{today+3}', '2026-11-30'],
  [FRIDAY, '{today-27}', '2026-10-31'],
  [FRIDAY, '{workday}', '2026-11-27'],
  [FRIDAY, '{workday+0}', '2026-11-27'],
  [FRIDAY, '{workday+1}', '2026-11-30'],
  [FRIDAY, '{workday+6}', '2026-12-07'],
  [FRIDAY, '{workday-5}', '2026-11-20'],
  [SUNDAY, '{today}', '2026-11-29'],
  [SUNDAY, '{workday}', '2026-11-30'],
  [SUNDAY, '{workday-1}', '2026-11-27'],
  [SUNDAY, '{workday+1}', '2026-11-30'],
  [FRIDAY, '{workday+1 09:30}', '2026-11-30T09:30:00.000Z'],
  [FRIDAY, '{now-90}', '2026-11-27T08:50:00.000Z'],
  [FRIDAY, 'a {today}, b {today+1}, {tomorrow}', 'a 2026-11-27, b 2026-11-28, {tomorrow}'],
])('on %s, %s is %s', (now, text, expected) => {
  expect(datedText(text, now)).toBe(expected);
});
