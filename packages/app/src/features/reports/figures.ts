// The groups of an answer in rows and series, in the order in which people read them, and the conditions that find the
// records of each. Pure.

import type { Field, Group, Where } from '@workspace-records/client';
import { conditionsOfPeriod, filledPeriods } from './periods-of.ts';
import { type KnownField, zoneOfGroup } from './report-fields.ts';
import {
  groupName,
  isAdditive,
  metricName,
  type ReportGroup,
  type ReportState,
} from './report-state.ts';

/** A value that records are grouped by: of periods the first day. */
export type GroupValue = string | number | boolean | null;

/** A dimension of the report: what its records are grouped by. */
export interface Dimension {
  readonly group: ReportGroup;
  readonly known: KnownField;
  readonly values: readonly GroupValue[];
}

/** The figures of one group, one for each metric; null where there is nothing to measure. */
export type Cell = readonly (number | null)[];

export interface Figures {
  readonly dimensions: readonly Dimension[];
  /** The figures of a value of each dimension; undefined: no records. */
  cellAt(...at: readonly GroupValue[]): Cell | undefined;
  /** The figures of all groups. */
  readonly cells: readonly Cell[];
  /** True: there are more groups than were read. */
  readonly isCut: boolean;
}

interface Source {
  readonly state: ReportState;
  /** The fields of the groups, in their order. */
  readonly fields: readonly KnownField[];
  readonly groups: readonly Group[];
  readonly isCut: boolean;
}

export function figuresOf({ state, fields, groups, isCut }: Source): Figures {
  const names = state.groups.map(groupName);
  const keyOf = (values: readonly GroupValue[]) => JSON.stringify(values);
  const valuesOf = (group: Group) => names.map((name) => (group[name] ?? null) as GroupValue);
  const cells = new Map(groups.map((group) => [keyOf(valuesOf(group)), cellOf(group, state)]));
  const dimensions = state.groups.flatMap((group, index): readonly Dimension[] => {
    const known = fields[index];
    if (known === undefined) return [];
    const totals = totalsAt(groups, names[index] ?? '');
    return [{ group, known, values: orderedValues(group, known.field, totals) }];
  });
  return { dimensions, isCut, cells: [...cells.values()], cellAt: (...at) => cells.get(keyOf(at)) };
}

function cellOf(group: Group, { metrics }: ReportState): Cell {
  return metrics.map((_, index) => {
    const value = group[metricName(index)] ?? null;
    // A sum with more digits than a number keeps is a text.
    return value === null ? null : Number(value);
  });
}

/** The total of the first metric for each value. */
function totalsAt(groups: readonly Group[], name: string): ReadonlyMap<GroupValue, number> {
  const totals = new Map<GroupValue, number>();
  for (const group of groups) {
    const value = (group[name] ?? null) as GroupValue;
    const figure = Number(group[metricName(0)] ?? 0);
    totals.set(value, (totals.get(value) ?? 0) + figure);
  }
  return totals;
}

/** Periods one after the other, options in their own order, others by how much they have; empty values last. */
function orderedValues(
  { by }: ReportGroup,
  field: Field,
  totals: ReadonlyMap<GroupValue, number>,
): readonly GroupValue[] {
  const values = [...totals.keys()].filter((value) => value !== null);
  const none = totals.has(null) ? [null] : [];
  if (by !== undefined) return [...filledPeriods(values.map(String), by), ...none];
  const options = new Map((field.options ?? []).map(({ value }, place) => [String(value), place]));
  const placeOf = (value: GroupValue) => options.get(String(value)) ?? options.size;
  const ordered = values.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) || (totals.get(other) ?? 0) - (totals.get(one) ?? 0),
  );
  return [...ordered, ...none];
}

/** A period without records: nothing was counted; a mean has no value. */
export function figureAt(
  figures: Figures,
  state: ReportState,
  { at, metric = 0 }: { readonly at: readonly GroupValue[]; readonly metric?: number },
): number | null {
  const found = figures.cellAt(...at)?.[metric];
  if (found !== undefined && found !== null) return found;
  const counted = state.metrics[metric];
  return counted !== undefined && isAdditive(counted) ? 0 : null;
}

/** The sum of a metric over all groups; it must be one that can be added up. */
export function totalOf({ cells }: Figures, metric: number): number {
  return cells.reduce((sum, cell) => sum + (cell[metric] ?? 0), 0);
}

/** The conditions that find the records of a group, exactly those that it counts. */
export function conditionsOfValues(
  dimensions: readonly Pick<Dimension, 'group' | 'known'>[],
  at: readonly GroupValue[],
  browserZone: string,
): readonly Where[] {
  return at.flatMap((value, index) => {
    const dimension = dimensions[index];
    return dimension === undefined ? [] : conditionsOfValue(dimension, value, browserZone);
  });
}

function conditionsOfValue(
  { group, known }: Pick<Dimension, 'group' | 'known'>,
  value: GroupValue,
  browserZone: string,
): readonly Where[] {
  const { path, by } = group;
  if (value === null) return [{ field: path, op: 'is_null', value: true }];
  if (by === undefined) return [{ field: path, op: 'eq', value }];
  const { type } = known.field;
  const timezone = zoneOfGroup(group, known.field, browserZone) ?? browserZone;
  return conditionsOfPeriod({ path, type }, String(value), { unit: by, timezone });
}
