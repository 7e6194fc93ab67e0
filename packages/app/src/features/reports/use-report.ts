// A report with its answer: the fields that it names, its figures, their names, and the way to the records of each.

import { useQuery } from '@tanstack/react-query';
import type { Field, ObjectDefinition, Where } from '@workspace-records/client';
import { useMemo } from 'react';
import { useFieldAt } from '../../editing/filters/filter-fields.ts';
import { selectionOf } from '../../lib/record-lists.ts';
import { NO_VIEW } from '../../lib/saved-views.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { PLAIN_VIEW, printView } from '../../lib/view-state.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { answerQuery, readAllGroups } from './api.ts';
import type { KnownMetric } from './figure-text.ts';
import { conditionsOfValues, type Figures, figuresOf, type GroupValue } from './figures.ts';
import { type KnownField, zoneOfGroup } from './report-fields.ts';
import { groupName, metricName, questionOf, type ReportState } from './report-state.ts';
import { type NameOfValue, useValueNames } from './use-value-names.ts';

export interface LoadedReport {
  readonly state: ReportState;
  readonly object: ObjectDefinition;
  readonly metrics: readonly KnownMetric[];
  readonly figures: Figures;
  /** The functions that name the values of each dimension. */
  readonly names: readonly NameOfValue[];
  /** The address of the list of the records that a group counts. */
  searchOf(...at: readonly GroupValue[]): SearchParams;
  /** The address of the list of the records that have one of these values of the first group. */
  searchOfMany(values: readonly string[]): SearchParams;
}

interface Reading {
  /** Undefined while it is read. */
  readonly report: LoadedReport | undefined;
  readonly error: Error | null;
  /** A group or metric names a field that the person does not have. */
  readonly isUnknown: boolean;
  /** Reads all groups for a file. */
  readAll(): ReturnType<typeof readAllGroups>;
}

export function useReport(object: ObjectDefinition, state: ReportState): Reading {
  const session = useSession();
  const zone = zoneOfBrowser();
  const { groups, metrics } = useKnownFields(object, state);
  const isKnown =
    groups.every(Boolean) && metrics.every(({ metric, field }) => isSound(metric, field));
  const question = useQuestion(state, groups, zone);
  const isUnknown = !pathsOf(state).every((path) => isOwnKey(object, path));
  // Only the zone of periods depends on a field, so the others are asked for before they are known.
  const isClear = state.groups.every(
    ({ by }, index) => by === undefined || groups[index] !== undefined,
  );
  const { data, error } = useQuery({
    ...answerQuery(session, question),
    enabled: isClear && !isUnknown,
  });
  const figures = useMemo(() => {
    if (data === undefined || !isKnown) return undefined;
    return figuresOf({ state, fields: groups as readonly KnownField[], ...data });
  }, [state, groups, isKnown, data]);
  const first = useValueNames(figures?.dimensions[0]);
  const second = useValueNames(figures?.dimensions[1]);
  const report = figures && {
    ...{ state, object, metrics, figures },
    names: [first, second],
    searchOf: (...at: readonly GroupValue[]) =>
      listAddress(state, conditionsOfValues(figures.dimensions, at, zone)),
    searchOfMany: (values: readonly string[]) =>
      listAddress(state, conditionsOfMany(state, values)),
  };
  const readAll = () => readAllGroups(session.client, question);
  return { report, error, isUnknown, readAll };
}

function pathsOf({ groups, metrics }: ReportState): readonly string[] {
  return [...groups, ...metrics].flatMap(({ path }) => path ?? []);
}

function isOwnKey({ fields }: ObjectDefinition, path: string): boolean {
  return fields.some(({ key }) => key === path.split('.')[0]);
}

function isSound({ path }: KnownMetric['metric'], field: Field | undefined): boolean {
  return path === undefined || field !== undefined;
}

/** The fields of the groups and metrics, at most two and four; fields behind a reference are loaded later. */
function useKnownFields(object: ObjectDefinition, state: ReportState) {
  const at = (paths: readonly (string | undefined)[], index: number) => paths[index] ?? '';
  const grouped = state.groups.map(({ path }) => path);
  const measured = state.metrics.map(({ path }) => path);
  const [firstGroup, secondGroup] = [
    useFieldAt(object, at(grouped, 0)),
    useFieldAt(object, at(grouped, 1)),
  ];
  const first = useFieldAt(object, at(measured, 0));
  const second = useFieldAt(object, at(measured, 1));
  const third = useFieldAt(object, at(measured, 2));
  const fourth = useFieldAt(object, at(measured, 3));
  return useMemo(() => {
    const known = [first, second, third, fourth];
    return {
      groups: [firstGroup, secondGroup].slice(0, state.groups.length),
      metrics: state.metrics.map(
        (metric, index): KnownMetric => ({ metric, field: known[index]?.field }),
      ),
    };
  }, [state, firstGroup, secondGroup, first, second, third, fourth]);
}

/** The largest groups first, or the newest periods: those are read where there are too many. */
function useQuestion(
  state: ReportState,
  groups: readonly (KnownField | undefined)[],
  zone: string,
) {
  return useMemo(() => {
    const query = questionOf(state, (group) =>
      zoneOfGroup(group, groups[state.groups.indexOf(group)]?.field, zone),
    );
    const [first] = state.groups;
    const isOfTime = first?.by !== undefined;
    const name = first !== undefined && isOfTime ? groupName(first) : metricName(0);
    const order = first === undefined ? {} : { order_by: { name, direction: 'desc' as const } };
    return {
      ...{ object_type: state.object, ...query, ...order },
      // Days in conditions are those of the browser, as they are in the list that a group opens.
      timezone: selectionOf(state).timezone,
    };
  }, [state, groups, zone]);
}

function conditionsOfMany({ groups }: ReportState, values: readonly string[]): readonly Where[] {
  const [first] = groups;
  const [value, ...others] = values;
  if (first === undefined) return [];
  if (others.length === 0) return [{ field: first.path, op: 'eq', value }];
  return [{ field: first.path, op: 'in', value: values }];
}

function listAddress({ q, where }: ReportState, conditions: readonly Where[]): SearchParams {
  const search = printView({ ...PLAIN_VIEW, q, where: [...where, ...conditions] });
  // An empty address would open the default view.
  return Object.keys(search).length === 0 ? { view: NO_VIEW } : search;
}
