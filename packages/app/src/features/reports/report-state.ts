// The state of a report, as its address has it: `object`, `group` and `metrics` with colons, `chart`, and conditions as
// lists have them. A saved report is a view; the address has the differences from it. Pure.

import type { GroupedQuestion, ObjectDefinition, View, Where } from '@workspace-records/client';
import { isFew, isQueryable } from '../../lib/field-facts.ts';
import { stateOfView } from '../../lib/saved-views.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { isEqual, PLAIN_VIEW, parseView, printView } from '../../lib/view-state.ts';
import { treeOf } from '../../lib/where.ts';
import { PERIODS, type PeriodUnit } from './periods-of.ts';

export const CHARTS = ['bars', 'lines', 'funnel', 'table', 'number'] as const;
export type ChartName = (typeof CHARTS)[number];

export const OPERATIONS = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface ReportGroup {
  /** A key, or one behind a reference. */
  readonly path: string;
  readonly by?: PeriodUnit | undefined;
  /** Undefined: that of the browser. */
  readonly timezone?: string | undefined;
}

export interface ReportMetric {
  readonly op: Operation;
  /** Undefined: records are counted. */
  readonly path?: string | undefined;
}

export interface ReportState {
  readonly object: string;
  readonly q: string;
  readonly where: readonly Where[];
  /** Two at most. */
  readonly groups: readonly ReportGroup[];
  /** The first one is drawn. */
  readonly metrics: readonly ReportMetric[];
  readonly chart: ChartName;
}

export type ReportObject = Pick<ObjectDefinition, 'fields' | 'workflow'>;

export const MOST_GROUPS = 2;
export const MOST_METRICS = 4;
const COUNT: ReportMetric = { op: 'count' };

/**
 * The charts for these groups and metrics, the default first. Without groups there is one figure; a funnel adds up the
 * statuses of a workflow.
 */
export function possibleCharts(
  { groups, metrics }: Pick<ReportState, 'groups' | 'metrics'>,
  { workflow }: Pick<ObjectDefinition, 'workflow'>,
): readonly ChartName[] {
  const [group, ...others] = groups;
  const [metric] = metrics;
  if (group === undefined) return ['number', 'table'];
  const isByStatus = workflow !== null && group.path === 'status' && others.length === 0;
  const isFunnel = isByStatus && metric !== undefined && isAdditive(metric);
  return CHARTS.filter((chart) => chart !== 'number' && (chart !== 'funnel' || isFunnel));
}

/** A sum and a count can be added up over groups, a mean cannot. */
export function isAdditive({ op }: ReportMetric): boolean {
  return op === 'count' || op === 'sum';
}

/** The question may have changed since its chart was chosen. */
function withPossibleChart(
  state: ReportState,
  object: Pick<ObjectDefinition, 'workflow'>,
): ReportState {
  const possible = possibleCharts(state, object);
  return possible.includes(state.chart) ? state : { ...state, chart: possible[0] ?? 'table' };
}

/** The beginning of a new report: the status, or the first field with options. */
export function firstState({ object_type, fields, workflow }: ObjectDefinition): ReportState {
  const first =
    fields.find(({ key }) => key === 'status') ??
    fields.find((field) => {
      return field.options !== undefined && isFew(field) && isQueryable(field);
    });
  const groups = first === undefined ? [] : [{ path: first.key }];
  const chart = workflow !== null && first?.key === 'status' ? 'funnel' : 'bars';
  return {
    ...{ object: object_type, q: '', where: [], groups, metrics: [COUNT] },
    chart: first === undefined ? 'number' : chart,
  };
}

/** The state of an address on top of another. Parts without a meaning are dropped. */
export function parseReport(
  search: SearchParams,
  object: ReportObject,
  base: ReportState,
): ReportState {
  const { object: _, group, metrics, chart, ...conditions } = search;
  const listed = parseView(conditions, object.fields, {
    ...PLAIN_VIEW,
    q: base.q,
    where: base.where,
  });
  const measured = metrics === undefined ? base.metrics : parseMetrics(metrics);
  const state = {
    ...base,
    q: listed.view.q,
    where: listed.view.where,
    groups: group === undefined ? base.groups : parseGroups(group),
    metrics: measured.length === 0 ? [COUNT] : measured,
    chart: CHARTS.find((one) => one === chart) ?? base.chart,
  };
  return withPossibleChart(state, object);
}

/** The differences from `base`. */
export function printReport(state: ReportState, base: ReportState): SearchParams {
  const conditions = printView(
    { ...PLAIN_VIEW, q: state.q, where: state.where },
    { ...PLAIN_VIEW, q: base.q, where: base.where },
  );
  return {
    ...(isEqual(state.groups, base.groups) ? {} : { group: printGroups(state.groups) }),
    ...(isEqual(state.metrics, base.metrics) ? {} : { metrics: printMetrics(state.metrics) }),
    ...(state.chart === base.chart ? {} : { chart: state.chart }),
    ...conditions,
  };
}

function parseGroups(text: string): readonly ReportGroup[] {
  const parts = text.split(',').filter(Boolean);
  return parts.slice(0, MOST_GROUPS).map((part) => {
    const [path = '', unit, timezone] = part.split(':');
    const by = PERIODS.find((one) => one === unit);
    return { path, ...(by === undefined ? {} : { by }), ...(timezone ? { timezone } : {}) };
  });
}

function printGroups(groups: readonly ReportGroup[]): string {
  return groups
    .map(({ path, by, timezone }) => [path, by, timezone].filter(Boolean).join(':'))
    .join(',');
}

function parseMetrics(text: string): readonly ReportMetric[] {
  const metrics = text.split(',').flatMap((part): readonly ReportMetric[] => {
    const [name, path] = part.split(':');
    const op = OPERATIONS.find((one) => one === name);
    if (op === undefined || (op !== 'count' && path === undefined)) return [];
    return [op === 'count' ? COUNT : { op, path }];
  });
  const texts = metrics.map((metric) => printMetrics([metric]));
  return metrics.filter((_, at) => texts.indexOf(texts[at] ?? '') === at).slice(0, MOST_METRICS);
}

function printMetrics(metrics: readonly ReportMetric[]): string {
  return metrics.map(({ op, path }) => (path === undefined ? op : `${op}:${path}`)).join(',');
}

/** Names of the columns of an answer. */
export function metricName(index: number): string {
  return `metric_${index + 1}`;
}

export function groupName({ path, by }: ReportGroup): string {
  return by === undefined ? path : `${path}:${by}`;
}

/** The question, as the service and a view have it. Days have no time zone. */
export function questionOf(
  { q, where, groups, metrics }: ReportState,
  zoneOf: (group: ReportGroup) => string | undefined,
): Omit<GroupedQuestion, 'limit' | 'cursor'> {
  const tree = treeOf(where);
  return {
    ...(q === '' ? {} : { query: q }),
    ...(tree === undefined ? {} : { where: tree }),
    group_by: groups.map((group) => {
      const { path, by } = group;
      if (by === undefined) return path;
      const timezone = zoneOf(group);
      return { field: path, by, ...(timezone === undefined ? {} : { timezone }) };
    }),
    metrics: metrics.map(({ op, path }, index) => ({
      ...{ name: metricName(index), op },
      ...(path === undefined ? {} : { field: path }),
    })),
  };
}

interface KeptGroups {
  readonly group_by?: readonly (
    | string
    | { readonly field: string; readonly by: PeriodUnit; readonly timezone?: string }
  )[];
  readonly metrics?: readonly { readonly op: string; readonly field?: string }[];
}

/** The state of a stored report, without groups and metrics of another form, which a program may have stored. */
export function stateOfReport(view: View, object: ReportObject): ReportState {
  const { q, where } = stateOfView(view, object.fields);
  const { group_by = [], metrics = [] } = view.query as KeptGroups;
  const groups = group_by.slice(0, MOST_GROUPS).map((item): ReportGroup => {
    if (typeof item === 'string') return { path: item };
    const { field, by, timezone } = item;
    return { path: field, by, ...(timezone === undefined ? {} : { timezone }) };
  });
  const measured = metrics.flatMap(({ op, field }): readonly ReportMetric[] => {
    const known = OPERATIONS.find((one) => one === op);
    if (known === undefined) return [];
    return [known === 'count' ? COUNT : { op: known, path: field }];
  });
  const state = {
    ...{ object: view.object_type, q, where, groups },
    metrics: measured.length === 0 ? [COUNT] : measured.slice(0, MOST_METRICS),
    chart: view.chart ?? 'bars',
  };
  return withPossibleChart(state, object);
}

/** The content of a report as the API creates and updates it. */
export function contentOfReport(state: ReportState) {
  const query = questionOf(state, ({ timezone }) => timezone);
  return { kind: 'report' as const, chart: state.chart, query: query as Record<string, unknown> };
}
