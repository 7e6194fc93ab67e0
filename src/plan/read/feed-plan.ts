// The records of a calendar view in its feed: those with a day in the year around today, by the view's own question. Pure.

import { errorFromProblems, type Problems } from '../../errors.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, canReadField } from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { parseQuestion, type Selecting, selectingParts } from './question.ts';
import { requireObject } from './read-plan.ts';
import { parseRecordQuery, type RecordQuery, recordQuery } from './record-query.ts';
import { resolveField } from './resolve-field.ts';
import type { ViewRow } from './view-plan.ts';

export interface FeedPlan {
  readonly object: ObjectModel;
  /** The field of the days. */
  readonly start: Field;
  /** The field of the end, when the object has one that the caller may read. */
  readonly end: Field | undefined;
  /** From today on, the next ones first; and before, the last ones first. */
  readonly coming: RecordQuery;
  readonly past: RecordQuery;
}

/** Days before and after today. */
const HALF_A_YEAR = 183;
const DAY = 86_400_000;

/** `now`: milliseconds since 1970. Errors: `object_not_available`, those of the view's question and field. */
export function planFeed(
  { model, caller }: { readonly model: WorkspaceModel; readonly caller: Caller },
  view: Pick<ViewRow, 'object_type' | 'query' | 'group_by'>,
  now: number,
): FeedPlan {
  const object = requireObject(model, caller, view.object_type);
  const problems: Problems = [];
  const key = view.group_by ?? '';
  const start = resolveField(caller, object, { param: 'group_by', key }, problems);
  if (start === undefined) throw errorFromProblems(problems);
  const end = endOf(caller, object, start);
  const selecting = selectingParts(view.query as Selecting, 'query.');
  const ownQuery = parseRecordQuery(selecting, () => object).query;
  const today = now - (now % DAY);
  const isDay = FIELD_TYPE_TRAITS[start.type].time === 'day';
  const text = (moment: number) => new Date(moment).toISOString().slice(0, isDay ? 10 : undefined);
  const ranged = (from: number, to: number, direction: 'asc' | 'desc') => {
    const bounds = [
      { field: key, op: 'gte', value: text(from) },
      { field: key, op: 'lt', value: text(to) },
    ];
    const fields = [key, ...(end === undefined ? [] : [end.key])];
    const asked = { where: { all: bounds }, fields, sort: [{ field: key, direction }] };
    const range = parseQuestion(asked, '', () => object).query;
    return recordQuery({
      ...range,
      text: ownQuery.text,
      where: { all: [range.where, ownQuery.where] },
    });
  };
  return {
    ...{ object, start, end },
    coming: ranged(today, today + (HALF_A_YEAR + 1) * DAY, 'asc'),
    past: ranged(today - HALF_A_YEAR * DAY, today, 'desc'),
  };
}

/** `ends_at` beside `starts_at`, `end_date` beside `start_date`: a field of the same type. */
function endOf(caller: Caller, object: ObjectModel, { key, type }: Field): Field | undefined {
  const field = object.fields.get(key.replace(/^start/, 'end'));
  const isOther = field !== undefined && field.key !== key && field.type === type;
  return isOther && canReadField(caller, object, field) ? field : undefined;
}
