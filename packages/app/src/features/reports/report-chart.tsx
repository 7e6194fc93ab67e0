// A report, drawn as its chart says, with its answer, its failure, and what is missing.

import { Box, Text } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { type ComponentType, memo, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Bars, type ChartProps } from './charts/bars.tsx';
import { BigNumber } from './charts/big-number.tsx';
import { FigureTable } from './charts/figure-table.tsx';
import { Funnel } from './charts/funnel.tsx';
import { Headline } from './charts/headline.tsx';
import { Lines } from './charts/lines.tsx';
import type { ChartName, ReportState } from './report-state.ts';
import classes from './reports.module.css';
import { type LoadedReport, useReport } from './use-report.ts';

const CHARTS: Readonly<Record<ChartName, ComponentType<ChartProps>>> = {
  bars: Bars,
  lines: Lines,
  funnel: Funnel,
  table: FigureTable,
  number: BigNumber,
};

interface ReportChartProps {
  readonly object: ObjectDefinition;
  readonly state: ReportState;
  readonly isSmall?: boolean;
}

export const ReportChart = memo(function ReportChart(props: ReportChartProps) {
  const { object, state, isSmall = false } = props;
  const t = useT();
  const { report, error, isUnknown } = useReport(object, state);
  if (isUnknown) return <EmptyState title={t('reports.unknownField')} />;
  if (error !== null) return <Problem error={error} />;
  if (report === undefined) return <Box mih="12rem" aria-busy="true" />;
  if (isEmpty(report))
    return <EmptyState title={t('reports.empty')} text={t('reports.emptyText')} />;
  const Chart = CHARTS[state.chart];
  return (
    <>
      {!isSmall && state.groups.length > 0 && <Headline report={report} />}
      <Chart report={report} isSmall={isSmall} />
      {report.figures.isCut && (
        <Text c="dimmed" fz="xs" mt="md">
          {t('reports.cut')}
        </Text>
      )}
      {!isSmall && state.chart !== 'table' && state.groups.length > 0 && (
        <Alternative report={report} />
      )}
    </>
  );
});

/** The most figures that are also shown as a table at once. */
const FEW = 60;

/** Many cells are drawn when somebody opens the table. */
function Alternative({ report }: ChartProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(report.figures.cells.length <= FEW);
  return (
    <details
      className={classes.alternative}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('reports.asTable')}</summary>
      {isOpen && <FigureTable report={report} />}
    </details>
  );
}

function isEmpty({ figures }: LoadedReport): boolean {
  const [first] = figures.dimensions;
  return first !== undefined && first.values.length === 0;
}
