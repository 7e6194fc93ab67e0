// A funnel: for each status of the workflow the records that are in it or have passed it.

import { useQuery } from '@tanstack/react-query';
import { useFormats } from '../../../lib/format.ts';
import { useT } from '../../../lib/messages/index.ts';
import { workflowQuery } from '../../../lib/schema-queries.ts';
import { useSession } from '../../../lib/session.ts';
import { figureText } from '../figure-text.ts';
import { figureAt } from '../figures.ts';
import { type Stage, stagesOf } from '../funnel-stages.ts';
import { tintStyle } from '../series-tints.ts';
import type { LoadedReport } from '../use-report.ts';
import type { ChartProps } from './bars.tsx';
import classes from './charts.module.css';
import { Mark, Marks } from './mark.tsx';

export function Funnel({ report }: ChartProps) {
  const t = useT();
  const { number } = useFormats();
  const { data } = useQuery(workflowQuery(useSession(), report.object.workflow?.id ?? ''));
  const stages = (data === undefined ? [] : stagesOf(data)).map((stage) => ({
    ...stage,
    figure: sumOf(report, stage),
  }));
  const whole = Math.max(1, ...stages.map(({ figure }) => Math.abs(figure)));
  const start = stages[0]?.figure ?? 0;
  return (
    <Marks className={classes.funnel} first={stages[0]?.id}>
      {stages.map((stage, place) => (
        <div key={stage.id} className={classes.stage} data-end={stage.isEnd || undefined}>
          <span className={classes.stageName}>{stage.name}</span>
          <span className={classes.stageTrack}>
            <StageBar {...{ report, stage, place }} width={Math.abs(stage.figure) / whole} />
          </span>
          <span className={classes.stageFigure}>
            <FigureOf report={report} value={stage.figure} />
            <small>
              {start === 0
                ? ''
                : t('reports.share', {
                    share: number(stage.figure / start, {
                      style: 'percent',
                      maximumFractionDigits: 0,
                    }),
                  })}
            </small>
          </span>
        </div>
      ))}
    </Marks>
  );
}

interface StageBarProps {
  readonly report: LoadedReport;
  readonly stage: Stage & { readonly figure: number };
  readonly place: number;
  readonly width: number;
}

function StageBar({ report, stage, place, width }: StageBarProps) {
  const formats = useFormats();
  const [metric] = report.metrics;
  const field = report.figures.dimensions[0]?.known.field;
  if (metric === undefined || field === undefined) return null;
  return (
    <Mark
      id={stage.id}
      report={report}
      search={report.searchOfMany(stage.reached)}
      label={`${stage.name}: ${figureText(stage.figure, metric, formats)}`}
      className={classes.stageBar}
      style={{ ...tintStyle(field, stage.id, place), width: `${100 * width}%` }}
    />
  );
}

function FigureOf({ report, value }: { readonly report: LoadedReport; readonly value: number }) {
  const formats = useFormats();
  const [metric] = report.metrics;
  return metric === undefined ? null : <span>{figureText(value, metric, formats)}</span>;
}

function sumOf({ figures, state }: LoadedReport, { reached }: Stage): number {
  return reached.reduce((sum, id) => sum + (figureAt(figures, state, { at: [id] }) ?? 0), 0);
}
