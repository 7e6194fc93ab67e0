// Lines: one for each value of the second group, or one. Each point is a link.

import { useFormats } from '../../../lib/format.ts';
import { ticksOf } from '../figure-text.ts';
import { figureAt, type GroupValue } from '../figures.ts';
import { ONE_TINT, tintStyle } from '../series-tints.ts';
import type { LoadedReport } from '../use-report.ts';
import { type ChartProps, Plot } from './bars.tsx';
import { rowsOf } from './chart-parts.ts';
import classes from './charts.module.css';
import { Legend } from './legend.tsx';
import { Mark, Marks } from './mark.tsx';

const MOST_NAMES = 12;
/** Further lines nobody could tell apart. */
const MOST_LINES = 9;

export function Lines({ report }: ChartProps) {
  const formats = useFormats();
  const rows = rowsOf(report, formats);
  const lines = linesOf(report);
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0));
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values));
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const x = (index: number) => (100 * (index + 0.5)) / Math.max(1, rows.length);
  const y = (value: number) => 100 - (100 * (value - least)) / (most - least);
  const parts = new Map(rows.flatMap((row) => row.parts.map((part) => [part.id, part] as const)));
  return (
    <>
      <Legend report={report} />
      <Plot report={report} ticks={ticks} names={rows} step={Math.ceil(rows.length / MOST_NAMES)}>
        <svg
          className={classes.lines}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {lines.map(({ id, style, points }) => (
            <path key={id} style={style} d={pathOf(points, x, y)} />
          ))}
        </svg>
        <Marks className={classes.points} first={lines[0]?.points[0]?.id}>
          {lines.flatMap(({ points }) =>
            points.map(({ id, value }, index) => {
              const part = parts.get(id);
              if (part === undefined || value === null) return null;
              return (
                <Mark
                  key={id}
                  {...{ id, report, label: part.label, search: part.search }}
                  className={classes.point}
                  style={{ ...part.style, left: `${x(index)}%`, top: `${y(value)}%` }}
                />
              );
            }),
          )}
        </Marks>
      </Plot>
    </>
  );
}

interface Point {
  readonly id: string;
  readonly value: number | null;
}

function linesOf({ figures, state }: LoadedReport) {
  const [first, second] = figures.dimensions;
  if (first === undefined) return [];
  const pointsAt = (rest: readonly GroupValue[]): readonly Point[] =>
    first.values.map((value) => {
      const at = [value, ...rest];
      return { id: JSON.stringify(at), value: figureAt(figures, state, { at }) };
    });
  if (second === undefined) return [{ id: 'all', style: ONE_TINT, points: pointsAt([]) }];
  return second.values.slice(0, MOST_LINES).map((value, place) => ({
    id: String(value),
    style: tintStyle(second.known.field, value, place),
    points: pointsAt([value]),
  }));
}

/** A place without a figure interrupts the line. */
function pathOf(
  points: readonly Point[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let isDown = false;
  return points
    .flatMap(({ value }, index) => {
      if (value === null) {
        isDown = false;
        return [];
      }
      const step = `${isDown ? 'L' : 'M'}${x(index).toFixed(2)} ${y(value).toFixed(2)}`;
      isDown = true;
      return [step];
    })
    .join('');
}
