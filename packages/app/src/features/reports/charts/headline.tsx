// The totals of a report, above its chart.

import { useFormats } from '../../../lib/format.ts';
import { useT } from '../../../lib/messages/index.ts';
import { figureText, metricText } from '../figure-text.ts';
import { totalOf } from '../figures.ts';
import { isAdditive } from '../report-state.ts';
import type { ChartProps } from './bars.tsx';
import classes from './charts.module.css';

export function Headline({ report }: ChartProps) {
  const t = useT();
  const formats = useFormats();
  const { figures, metrics } = report;
  const additiveMetrics = metrics
    .map((metric, index) => ({ metric, index }))
    .filter(({ metric }) => isAdditive(metric.metric));
  // A part of the groups has no total.
  if (figures.isCut || additiveMetrics.length === 0) return null;
  return (
    <dl className={classes.headline}>
      {additiveMetrics.map(({ metric, index }) => (
        <div key={metricText(metric, t)}>
          <dt>{metricText(metric, t)}</dt>
          <dd>{figureText(totalOf(figures, index), metric, formats)}</dd>
        </div>
      ))}
    </dl>
  );
}
