// Bars: upright over periods, else one below the other, with the names of what they count in full.

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useT } from '../../../lib/messages/index.ts';
import { figureText, shortText, ticksOf } from '../figure-text.ts';
import type { LoadedReport } from '../use-report.ts';
import { endsOf, placedParts, type Row, rowsOf } from './chart-parts.ts';
import classes from './charts.module.css';
import { Legend } from './legend.tsx';
import { Mark, Marks } from './mark.tsx';

export interface ChartProps {
  readonly report: LoadedReport;
  /** Among others on a page: it has the height that it is given. */
  readonly isSmall?: boolean;
}

export function Bars(props: ChartProps) {
  const { report } = props;
  const isOfTime = report.figures.dimensions[0]?.group.by !== undefined;
  return (
    <>
      <Legend report={report} />
      {isOfTime ? <Upright {...props} /> : <Across {...props} />}
    </>
  );
}

/** Bars that are shown before one asks for the others. */
const AT_FIRST = 20;

function Across({ report, isSmall = false }: ChartProps) {
  const t = useT();
  const formats = useFormats();
  const [isWhole, setWhole] = useState(false);
  const all = rowsOf(report, formats);
  const rows = isWhole || isSmall ? all : all.slice(0, AT_FIRST);
  const [least, most] = endsOf(all);
  const span = most - least || 1;
  return (
    <>
      <Marks className={classes.across} first={rows[0]?.parts[0]?.id}>
        {rows.map((row) => (
          <div key={row.id} className={classes.acrossRow}>
            <span className={classes.acrossName} title={row.name}>
              {row.name}
            </span>
            <span className={classes.track}>
              {row.parts.map(({ id, value, ...part }) => (
                <Mark
                  key={id}
                  {...{ id, report, ...part }}
                  className={classes.acrossBar}
                  style={{ ...part.style, width: `${(100 * Math.abs(value ?? 0)) / span}%` }}
                />
              ))}
            </span>
            <span className={classes.acrossFigure}>
              <RowFigure report={report} row={row} />
            </span>
          </div>
        ))}
      </Marks>
      {rows.length < all.length && (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          {t('reports.showAll', { count: all.length })}
        </Button>
      )}
    </>
  );
}

function RowFigure({ report, row }: { readonly report: LoadedReport; readonly row: Row }) {
  const formats = useFormats();
  const [metric] = report.metrics;
  const figure = row.total ?? row.parts[0]?.value ?? null;
  return metric === undefined ? null : figureText(figure, metric, formats);
}

/** Names below bars, as many as there is room for. */
const MOST_NAMES = 12;

function Upright({ report }: ChartProps) {
  const formats = useFormats();
  const rows = rowsOf(report, formats);
  const ticks = ticksOf(...endsOf(rows));
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const step = Math.ceil(rows.length / MOST_NAMES);
  return (
    <Plot report={report} ticks={ticks} names={rows} step={step}>
      <Marks className={classes.upright} first={rows[0]?.parts[0]?.id}>
        {rows.map((row) => (
          <div key={row.id} className={classes.column}>
            {placedParts(row, { least, span: most - least }).map(({ id, label, search, style }) => (
              <Mark
                key={id}
                {...{ id, report, label, search, style }}
                className={classes.columnBar}
              />
            ))}
          </div>
        ))}
      </Marks>
    </Plot>
  );
}

interface PlotProps {
  readonly report: LoadedReport;
  readonly ticks: readonly number[];
  /** Below it, of each place from left to right. */
  readonly names: readonly Pick<Row, 'id' | 'name'>[];
  /** Each so many-th name is shown. */
  readonly step: number;
  readonly children: ReactNode;
}

/** The axes of a chart over periods. */
export function Plot({ report, ticks, names, step, children }: PlotProps) {
  const formats = useFormats();
  const [metric] = report.metrics;
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const bottom = (tick: number) => `${(100 * (tick - least)) / (most - least)}%`;
  return (
    <div className={classes.plot}>
      <div className={classes.scale} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: bottom(tick) }}>
            {metric !== undefined && shortText(tick, metric, formats)}
          </span>
        ))}
      </div>
      <div className={classes.area}>
        {ticks.map((tick) => (
          <span
            key={tick}
            className={classes.rule}
            data-zero={tick === 0 || undefined}
            style={{ bottom: bottom(tick) }}
          />
        ))}
        {children}
      </div>
      <div className={classes.names} aria-hidden="true">
        {names.map(({ id, name }, index) => (
          <span key={id}>
            {index % step === 0 && <span data-level={levelOf(index / step)}>{name}</span>}
          </span>
        ))}
      </div>
    </div>
  );
}

/** With less room, every second name is left out, and every second of the others. */
function levelOf(place: number): number {
  if (place % 4 === 0) return 0;
  return place % 2 === 0 ? 1 : 2;
}
