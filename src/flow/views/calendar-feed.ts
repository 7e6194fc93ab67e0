// Feeds of calendars (docs/design/calendar-feeds.md): a key with the id of a view, and the records of the view as its
// person may read them at that moment.

import type { PlacedView } from '../../control/stored/view-rows.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { keyOf } from '../../model/rights/principal.ts';
import { type CalendarEntry, calendarText } from '../../model/text/calendar-text.ts';
import { type FeedPlan, planFeed } from '../../plan/read/feed-plan.ts';
import { currentValue } from '../../plan/write/write-validation.ts';
import type { Row } from '../../postgres/db.ts';
import { createKey, type KeyAdministration, type MadeKey } from '../people/key-flow.ts';
import { type Page, readPage } from '../records/read/read-flow.ts';
import type { ReadContext } from '../records/read/read-statement.ts';
import { getView, type ViewQuestion } from './view-flow.ts';

export interface NewFeed {
  readonly view_id: string;
  readonly name?: string | undefined;
  readonly expires_at?: string | null | undefined;
}

/**
 * Make a feed of a calendar. Errors: `record_not_found`, `invalid_write` for another kind of view, those of its question
 * and of new keys.
 */
export async function createFeed(
  asked: ViewQuestion,
  making: KeyAdministration,
  { view_id, name, expires_at }: NewFeed,
  now: number,
): Promise<MadeKey> {
  const view = await getView(asked, view_id);
  if (view.kind !== 'calendar') {
    throw new ApiError('invalid_write', { param: 'view_id', message: say('feed_needs_calendar') });
  }
  planFeed(asked, view, now);
  return createKey(making, {
    ...{ name: name ?? view.name, user_id: asked.caller.user.id, scopes: ['records:read'] },
    ...{ gates: false, view_id: view.id, expires_at },
  });
}

/** The parts of a question that a feed needs, and the address of the application; undefined: there is none. */
export interface FeedQuestion extends ReadContext {
  readonly views: ViewQuestion;
  readonly now: () => number;
  readonly application: string | undefined;
}

/** The calendar of the calling feed as text. Errors: `record_not_found`, those of the view's question. */
export async function readFeed(asked: FeedQuestion): Promise<string> {
  const view = await getView(asked.views, keyOf(asked.caller.principal)?.view_id ?? '');
  if (view.kind !== 'calendar') throw new ApiError('record_not_found');
  const plan = planFeed(asked, view, asked.now());
  const pages = [await readEntries(asked, plan, plan.coming, LIMITS.feedEntries)];
  const left = LIMITS.feedEntries - (pages[0]?.rows.length ?? 0);
  if (left > 0) pages.push(await readEntries(asked, plan, plan.past, left));
  const entries = pages.flatMap((page) => page.rows.map(entryOf(asked, view, { plan, page })));
  return calendarText(view.name, entries);
}

function readEntries(
  context: FeedQuestion,
  { object }: FeedPlan,
  query: FeedPlan['coming'],
  limit: number,
): Promise<Page> {
  return readPage(context, object, { endpoint: 'query', query, limit, cursor: undefined });
}

function entryOf(
  { application }: FeedQuestion,
  { id: viewId }: PlacedView,
  { plan: { object, start, end }, page }: { readonly plan: FeedPlan; readonly page: Page },
) {
  const timeOf = (row: Row, field: FeedPlan['start']) => String(currentValue(row, field));
  const { display } = page.plan;
  return (row: Row): CalendarEntry => ({
    uid: `${row.id}.${viewId}`,
    summary: String((display && row[display.column]) ?? object.singular_name),
    start: timeOf(row, start),
    end: end === undefined || currentValue(row, end) === null ? null : timeOf(row, end),
    changed_at: String(row.updated_at),
    revision: Number(row.version),
    url:
      application === undefined
        ? null
        : `${application}/o/${object.object_type}/${encodeURIComponent(String(row.public_id ?? row.id))}`,
  });
}
