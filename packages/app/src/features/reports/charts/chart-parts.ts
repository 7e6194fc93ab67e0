// The common parts of charts: rows of parts with their figures, labels, links and tints. Pure but for the words.

import type { CSSProperties } from 'react';
import type { Formats } from '../../../lib/format.ts';
import { figureText } from '../figure-text.ts';
import { figureAt, type GroupValue } from '../figures.ts';
import { isAdditive } from '../report-state.ts';
import { isColoured, ONE_TINT, tintStyle } from '../series-tints.ts';
import type { LoadedReport } from '../use-report.ts';

/** A part of a bar: of one value of the second group, or the whole of it. */
export interface Part {
  readonly id: string;
  readonly label: string;
  readonly value: number | null;
  readonly search: ReturnType<LoadedReport['searchOf']>;
  readonly style: CSSProperties;
}

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly Part[];
  /** Undefined where its parts cannot be added up. */
  readonly total: number | undefined;
}

/** A row for each value of the first group, with a part for each value of the second. */
export function rowsOf(report: LoadedReport, formats: Formats): readonly Row[] {
  const { figures, state, metrics, names } = report;
  const [first, second] = figures.dimensions;
  const [metric] = metrics;
  if (first === undefined || metric === undefined) return [];
  const partAt = (at: readonly GroupValue[], style: CSSProperties): Part => {
    const value = figureAt(figures, state, { at });
    const named = at.map((one, index) => names[index]?.(one) ?? '').join(', ');
    return {
      ...{ id: JSON.stringify(at), value, search: report.searchOf(...at), style },
      label: `${named}: ${figureText(value, metric, formats)}`,
    };
  };
  return first.values.map((value, place): Row => {
    const valueStyle = isColoured(first.known.field)
      ? tintStyle(first.known.field, value, place)
      : ONE_TINT;
    const parts =
      second === undefined
        ? [partAt([value], valueStyle)]
        : second.values
            .map((one, at) => partAt([value, one], tintStyle(second.known.field, one, at)))
            .filter((part) => part.value !== null && part.value !== 0);
    const isSummed = isAdditive(metric.metric);
    return {
      ...{ id: String(value), name: names[0]?.(value) ?? '', parts },
      total: isSummed ? parts.reduce((sum, part) => sum + (part.value ?? 0), 0) : undefined,
    };
  });
}

/** The lowest and the highest end of a bar. */
export function endsOf(rows: readonly Row[]): readonly [number, number] {
  const ends = rows.flatMap(({ parts, total }) => {
    const values = parts.map(({ value }) => value ?? 0);
    return total === undefined || parts.length < 2
      ? values
      : [total, ...values.filter((v) => v < 0)];
  });
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/**
 * The parts of an upright bar with their places: what can be added up stands on one another, above zero or hangs below
 * it; other parts stand side by side.
 */
export function placedParts(
  { parts, total }: Row,
  { least, span }: { readonly least: number; readonly span: number },
): readonly Part[] {
  const percent = (value: number) => `${(100 * value) / span}%`;
  const ends = { above: 0, below: 0 };
  return parts.map((part, index) => {
    const value = part.value ?? 0;
    const isSide = total === undefined;
    const start = isSide ? 0 : value < 0 ? ends.below : ends.above;
    if (value < 0) ends.below += value;
    else ends.above += value;
    const side = {
      left: `${10 + (80 * index) / parts.length}%`,
      width: `${80 / parts.length}%`,
    };
    const bottom = percent(Math.min(start, start + value) - least);
    const style = { ...part.style, bottom, height: percent(Math.abs(value)) };
    return { ...part, style: isSide ? { ...style, ...side } : style };
  });
}
