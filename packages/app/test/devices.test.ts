// The browser and the system that a session names, and who changed a field last, by the change feed.

import type { ChangeEvent } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { lastIn } from '../src/lib/last-change.ts';
import { deviceOf } from '../src/lib/user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each<readonly [string, string | undefined, string | undefined]>([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`,
    'Chrome',
    'Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/126.0 Safari/537.36 Edg/126.0`,
    'Edge',
    'Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0 Mobile`,
    'Samsung Internet',
    'Android',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/126.0 Safari/537.36`,
    'Chrome',
    'ChromeOS',
  ],
  ['curl/8.5.0', undefined, undefined],
])('%s', (agent, browser, system) => {
  expect(deviceOf(agent)).toEqual({ browser, system });
});

test('the last change of the field counts, not that of another one or of another record', () => {
  const event = (record_id: string, changed_fields: readonly string[], id: number | null) =>
    ({
      ...{ type: 'record.updated', record_id, changed_fields, occurred_at: `at ${id}` },
      user: id === null ? null : { id },
    }) as unknown as ChangeEvent;
  const events = [
    event('a', ['x'], 1),
    event('a', ['x', 'y'], 2),
    event('a', ['y'], 3),
    event('b', ['x'], 4),
  ];
  expect(lastIn(events, 'a', 'x')).toEqual({ user: 2, at: 'at 2' });
  expect(lastIn([event('a', ['x'], null)], 'a', 'x')).toEqual({ user: undefined, at: 'at null' });
  expect(lastIn(events, 'c', 'x')).toBeUndefined();
});
