// The fields that a report can be grouped by and can measure. Pure.

import type { Field } from '@workspace-records/client';
import type { FilterField } from '../../editing/filters/filter-fields.ts';
import { factsOf, isNumeric, isOfTime } from '../../lib/field-facts.ts';
import { OPERATIONS, type Operation, type ReportGroup, type ReportMetric } from './report-state.ts';

/** A field of the answer: its definition, and its name to people. */
export type KnownField = Pick<FilterField, 'path' | 'field' | 'label'>;

export function groupable(fields: readonly FilterField[]): readonly FilterField[] {
  return fields.filter(({ field }) => factsOf(field).indexable && field.key !== 'id');
}

export function measurable(fields: readonly FilterField[]): readonly FilterField[] {
  return fields.filter(({ field }) => isNumeric(field));
}

/** Times are grouped by months at first. */
export function groupAt(path: string, { field }: KnownField): ReportGroup {
  return isOfTime(field) ? { path, by: 'month' } : { path };
}

/** Text to identify a metric in a list of choices. */
export function metricId({ op, path }: ReportMetric): string {
  return path === undefined ? op : `${op}:${path}`;
}

/** All that can be measured. */
export function offeredMetrics(fields: readonly FilterField[]): readonly ReportMetric[] {
  const ops = OPERATIONS.filter((op): op is Exclude<Operation, 'count'> => op !== 'count');
  return [
    { op: 'count' },
    ...measurable(fields).flatMap(({ path }) => ops.map((op) => ({ op, path }))),
  ];
}

/** The zone in which the periods of a group begin; days have none. */
export function zoneOfGroup(
  { timezone }: ReportGroup,
  field: Pick<Field, 'type'> | undefined,
  browser: string,
): string | undefined {
  return field !== undefined && factsOf(field).time === 'moment'
    ? (timezone ?? browser)
    : undefined;
}
