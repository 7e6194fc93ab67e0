// One figure, without groups.

import { useFormats } from '../../../lib/format.ts';
import { useT } from '../../../lib/messages/index.ts';
import { figureText, metricText } from '../figure-text.ts';
import { figureAt } from '../figures.ts';
import type { ChartProps } from './bars.tsx';
import classes from './charts.module.css';
import { Mark, Marks } from './mark.tsx';

export function BigNumber({ report }: ChartProps) {
  const t = useT();
  const formats = useFormats();
  const { figures, state, metrics } = report;
  return (
    <Marks className={classes.numbers} first="0">
      {metrics.map((metric, index) => {
        const text = figureText(
          figureAt(figures, state, { at: [], metric: index }),
          metric,
          formats,
        );
        const name = metricText(metric, t);
        return (
          <Mark
            key={name}
            id={String(index)}
            report={report}
            search={report.searchOf()}
            label={`${name}: ${text}`}
            className={classes.number}
          >
            <span className={classes.figure}>{text}</span>
            <span className={classes.figureName}>{name}</span>
          </Mark>
        );
      })}
    </Marks>
  );
}
