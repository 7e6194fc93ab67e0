// The colours of the values of the second group.

import { useT } from '../../../lib/messages/index.ts';
import { tintStyle } from '../series-tints.ts';
import type { LoadedReport } from '../use-report.ts';
import classes from './charts.module.css';

/** Further ones have no colour of their own. */
const MOST = 9;

export function Legend({ report }: { readonly report: LoadedReport }) {
  const t = useT();
  const [, second] = report.figures.dimensions;
  if (second === undefined) return null;
  const { values, known } = second;
  return (
    <ul className={classes.legend}>
      {values.slice(0, MOST).map((value, place) => (
        <li key={String(value)} style={tintStyle(known.field, value, place)}>
          <span className={classes.swatch} />
          {report.names[1]?.(value)}
        </li>
      ))}
      {values.length > MOST && <li>{t('reports.others', { count: values.length - MOST })}</li>}
    </ul>
  );
}
