// A report as a table with a row for each group. Of two groups with one metric, the second one makes the columns.

import { useFormats } from '../../../lib/format.ts';
import { useT } from '../../../lib/messages/index.ts';
import { figureText, metricText } from '../figure-text.ts';
import { figureAt, type GroupValue, totalOf } from '../figures.ts';
import { RecordsLink } from '../records-link.tsx';
import { isAdditive } from '../report-state.ts';
import type { LoadedReport } from '../use-report.ts';
import type { ChartProps } from './bars.tsx';
import classes from './charts.module.css';

/** The most values of the second group that become columns. */
const MOST_COLUMNS = 12;

export function FigureTable({ report }: ChartProps) {
  const [first, second] = report.figures.dimensions;
  const isCrossed =
    second !== undefined && report.metrics.length === 1 && second.values.length <= MOST_COLUMNS;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keys.
    <div className={classes.scroller} tabIndex={0}>
      <table className={classes.table}>
        {first !== undefined && isCrossed ? (
          <Crossed report={report} rows={first.values} columns={second.values} />
        ) : (
          <Flat report={report} />
        )}
      </table>
    </div>
  );
}

interface CellProps {
  readonly report: LoadedReport;
  readonly at: readonly GroupValue[];
  readonly metric?: number;
}

function FigureCell({ report, at, metric = 0 }: CellProps) {
  const formats = useFormats();
  const metricField = report.metrics[metric];
  const figure = figureAt(report.figures, report.state, { at, metric });
  if (metricField === undefined) return null;
  const isThere = report.figures.cellAt(...at) !== undefined;
  return (
    <td className={classes.cell}>
      {isThere ? (
        <RecordsLink type={report.state.object} search={report.searchOf(...at)}>
          {figureText(figure, metricField, formats)}
        </RecordsLink>
      ) : (
        figureText(figure, metricField, formats)
      )}
    </td>
  );
}

function Flat({ report }: { readonly report: LoadedReport }) {
  const t = useT();
  const { figures, metrics, names } = report;
  const rows = rowsAt(report);
  return (
    <>
      <thead>
        <tr>
          {figures.dimensions.map(({ known }) => (
            <th key={known.path} scope="col">
              {known.label}
            </th>
          ))}
          {metrics.map((metric) => (
            <th key={metricText(metric, t)} scope="col" className={classes.cell}>
              {metricText(metric, t)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((at) => (
          <tr key={JSON.stringify(at)}>
            {at.map((value, index) => (
              <th key={figures.dimensions[index]?.known.path} scope="row">
                {names[index]?.(value)}
              </th>
            ))}
            {metrics.map((metric, index) => (
              <FigureCell key={metricText(metric, t)} {...{ report, at }} metric={index} />
            ))}
          </tr>
        ))}
      </tbody>
      <Totals report={report} />
    </>
  );
}

/** The group values of each row; pairs of values without records have no row. */
function rowsAt({ figures }: LoadedReport): readonly (readonly GroupValue[])[] {
  const [first, second] = figures.dimensions;
  if (first === undefined) return [[]];
  if (second === undefined) return first.values.map((value) => [value]);
  return first.values.flatMap((value) =>
    second.values
      .map((other) => [value, other])
      .filter((at) => figures.cellAt(...at) !== undefined),
  );
}

/** The totals of metrics that can be added up. */
function Totals({ report }: { readonly report: LoadedReport }) {
  const t = useT();
  const formats = useFormats();
  const { figures, metrics } = report;
  if (
    figures.cells.length < 2 ||
    figures.isCut ||
    !metrics.some(({ metric }) => isAdditive(metric))
  ) {
    return null;
  }
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={Math.max(1, figures.dimensions.length)}>
          {t('reports.total')}
        </th>
        {metrics.map((metric, index) => (
          <td key={metricText(metric, t)} className={classes.cell}>
            {isAdditive(metric.metric) && figureText(totalOf(figures, index), metric, formats)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

interface CrossedProps {
  readonly report: LoadedReport;
  readonly rows: readonly GroupValue[];
  readonly columns: readonly GroupValue[];
}

function Crossed({ report, rows, columns }: CrossedProps) {
  const { figures, names } = report;
  return (
    <>
      <thead>
        <tr>
          <th scope="col">{figures.dimensions[0]?.known.label}</th>
          {columns.map((column) => (
            <th key={String(column)} scope="col" className={classes.cell}>
              {names[1]?.(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={String(row)}>
            <th scope="row">{names[0]?.(row)}</th>
            {columns.map((column) => (
              <FigureCell key={String(column)} report={report} at={[row, column]} />
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}
