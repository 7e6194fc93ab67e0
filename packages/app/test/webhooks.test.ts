// Webhooks without a browser: the draft of the form, refusals by their parts, the address of a list of deliveries, and
// their words.

import type { Webhook } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { recordsError } from '../../client/src/errors.ts';
import { deliveryFilterOf, deliverySearchOf } from '../src/features/webhooks/delivery-search.ts';
import {
  bodyOf,
  changesOf,
  draftOf,
  hasOptions,
  newDraft,
  withObjects,
  withWhere,
} from '../src/features/webhooks/webhook-draft.ts';
import { concernOptions, webhookProblemsOf } from '../src/features/webhooks/webhook-problems.ts';
import {
  eventText,
  isPositionKept,
  lastDeliveryText,
  reasonText,
  shownState,
  summaryOf,
  testText,
} from '../src/features/webhooks/webhook-words.ts';
import { formatsOf } from '../src/lib/format.ts';
import { translate } from '../src/lib/messages/index.ts';
import { parseSearch, printSearch } from '../src/lib/search-params.ts';

const t = translate();
const formats = formatsOf('en');
const AT = '2026-11-25T10:00:00.000Z';

const WEBHOOK: Webhook = {
  ...{ id: 'one', owner_user_id: 1, api_key: null, url: 'https://receiver.example/hook' },
  ...{ events: ['record.created'], object_types: ['deals'], changed_fields: ['amount'] },
  ...{ where: { field: 'amount', op: 'gt', value: 5 }, timezone: 'Europe/Berlin' },
  ...{ status_to: [], except: { own: true, sources: ['import'] }, payload: 'record' },
  ...{ header_names: ['X-Team'], state: 'active', reason: null, failing_since: null },
  ...{ stopped_at: null, verified_at: AT, position_at: AT, last_delivery: null },
  ...{ secret_state: 'set', previous_secret_until: null, version: 'v', created_at: AT },
  updated_at: AT,
};

describe('a draft', () => {
  test('that nobody has changed sends nothing, whatever the webhook has', () => {
    const both = { all: [WEBHOOK.where, { not: WEBHOOK.where }] } as Webhook['where'];
    for (const webhook of [
      WEBHOOK,
      { ...WEBHOOK, where: null, timezone: null },
      { ...WEBHOOK, where: both },
      { ...WEBHOOK, header_names: [] },
    ]) {
      const start = draftOf(webhook);
      expect(changesOf(start, { ...start })).toEqual({});
      expect(bodyOf(start)).toMatchObject({ where: webhook.where, timezone: webhook.timezone });
    }
  });

  test('sends what differs, and headers only when they were replaced', () => {
    const start = draftOf(WEBHOOK);
    expect(start.headers).toBeUndefined();
    expect(changesOf(start, { ...start, url: ' https://other.example ' })).toEqual({
      url: 'https://other.example',
    });
    const headers = [
      { id: 1, name: ' Authorization ', value: 'Bearer x' },
      { id: 2, name: '', value: '' },
    ];
    expect(changesOf(start, { ...start, headers })).toEqual({
      headers: { Authorization: 'Bearer x' },
    });
    expect(changesOf(start, { ...start, headers: [] })).toEqual({ headers: {} });
  });

  test('loses its conditions with its object, and its time zone with them', () => {
    const start = draftOf(WEBHOOK);
    expect(withObjects(start, ['deals']).where).toEqual([WEBHOOK.where]);
    for (const types of [[], ['companies'], ['deals', 'companies']]) {
      expect(withObjects(start, types)).toMatchObject({ where: [], timezone: null });
    }
    expect(withWhere(start, [], 'Europe/Berlin').timezone).toBeNull();
    expect(withWhere(newDraft(1), start.where, 'Asia/Tokyo').timezone).toBe('Asia/Tokyo');
  });

  test('shows its options when it has some', () => {
    const plain = newDraft(1);
    expect(hasOptions(plain, 1)).toBe(false);
    expect(hasOptions(draftOf(WEBHOOK), 1)).toBe(true);
    for (const option of [
      { exceptOwn: true },
      { statusTo: ['won'] },
      { payload: 'record' as const },
      { headers: undefined },
      { owner: 2 },
    ]) {
      expect(hasOptions({ ...plain, ...option }, 1), JSON.stringify(option)).toBe(true);
    }
  });
});

describe('refusals', () => {
  test('are at the parts that they name, the first of each', () => {
    const errors = [
      { param: 'events[1]', code: 'validation_failed', message: 'A' },
      { param: 'where.any[0].field', code: 'invalid_filter', message: 'B' },
      { param: 'where', code: 'invalid_filter', message: 'C' },
      { param: 'elsewhere', code: 'validation_failed', message: 'D' },
    ];
    const error = recordsError({ code: 'validation_failed', message: 'A', details: { errors } });
    const problems = webhookProblemsOf(error);
    expect([...problems].sort()).toEqual([
      ['events', 'A'],
      ['where', 'B'],
    ]);
    expect(concernOptions(problems)).toBe(true);
  });

  test('without details are at the part of the error, or about the whole', () => {
    const at = (param?: string) =>
      webhookProblemsOf(recordsError({ code: 'conflict', message: 'No.', param }));
    expect([...at('url')]).toEqual([['url', 'No.']]);
    expect(concernOptions(at('url'))).toBe(false);
    expect(at().size).toBe(0);
    expect(webhookProblemsOf(new Error('x')).size).toBe(0);
  });
});

describe('the address of a list of deliveries', () => {
  const read = (text: string) => deliveryFilterOf(parseSearch(text));
  test.each(['', '?state=failed', '?type=record.created', `?state=pending&type=ping&since=${AT}`])(
    '%s',
    (text) => {
      expect(printSearch(deliverySearchOf(read(text)))).toBe(text);
    },
  );

  test('loses what has no meaning', () => {
    expect(read('?state=lost&type=record.*&since=soon&q=x')).toEqual({});
    expect(read('?state=toString&type=constructor')).toEqual({});
  });
});

describe('words', () => {
  test('of states tell a webhook that waits for its first ping apart', () => {
    expect(shownState(WEBHOOK)).toBe('active');
    expect(reasonText(WEBHOOK, t)).toBeUndefined();
    const waiting = { ...WEBHOOK, verified_at: null };
    expect(shownState(waiting)).toBe('unverified');
    expect(reasonText(waiting, t)).toContain('ping');
    expect(reasonText({ ...waiting, state: 'failing' }, t)).toContain('ping');
    expect(reasonText({ ...WEBHOOK, state: 'failing' }, t)).toContain('repeated');
    const reason = { code: 'paused', message: 'It was paused.' };
    const paused = { ...waiting, state: 'paused', reason, stopped_at: AT } as const;
    expect(reasonText(paused, t)).toBe('It was paused.');
  });

  test('of what is sent', () => {
    const nameOf = () => 'Deals';
    expect(summaryOf(WEBHOOK, nameOf, t)).toBe('Created · Deals, with conditions');
    const all = { ...WEBHOOK, ...{ events: ['record.*', 'comment.created'], object_types: [] } };
    const free = { ...all, changed_fields: [], where: null };
    expect(summaryOf(free, nameOf, t)).toBe('All changes of records, Comment · All objects');
    expect(eventText('record.renumbered', t)).toBe('record.renumbered');
  });

  test('of the last delivery, and of a test', () => {
    const last = (given: object) => {
      const last_delivery = { state: 'delivered', status: 204, error: null, attempted_at: AT };
      const webhook = { last_delivery: { ...last_delivery, ...given } } as Webhook;
      return lastDeliveryText(webhook, { ago: () => 'now' }, t);
    };
    expect(last({})).toBe('Last delivery now: answered 204');
    expect(last({ state: 'pending', status: 500 })).toBe('Last delivery now: failed with 500');
    expect(last({ state: 'failed', status: null, error: 'timeout' })).toContain('in time');
    expect(last({ state: 'failed', status: null, error: 'other' })).toContain('failed');
    expect(lastDeliveryText(WEBHOOK, formats, t)).toBe('No deliveries yet');
    const tested = (given: object) => {
      const delivery = { state: 'delivered', status: 200, error: null, duration_ms: 1500 };
      return testText({ ...delivery, ...given } as never, formats.number, t);
    };
    expect(tested({})).toBe('The receiver answered 200 after 1.5 sec.');
    expect(tested({ state: 'failed', status: 404 })).toContain('404');
    expect(tested({ state: 'failed', status: null, error: 'tls' })).toContain('TLS');
    expect(tested({ state: 'pending', status: null })).toContain('no answer yet');
  });

  test('of a position that is no longer kept', () => {
    const now = Date.parse(AT) + 6 * 86_400_000;
    const stopped = { ...WEBHOOK, state: 'paused', stopped_at: AT } as const;
    expect(isPositionKept(stopped, now)).toBe(true);
    expect(isPositionKept(stopped, now + 2 * 86_400_000)).toBe(false);
    const reason = { code: 'restored', message: '' };
    expect(isPositionKept({ ...stopped, reason }, now)).toBe(false);
  });
});
