// A saved report in a few lines: its number, or a drawing without words. It is read when it is in view; reports of one
// moment are one request (ask-together.ts).

import { Box, Text } from '@mantine/core';
import type { View } from '@workspace-records/client';
import { Suspense, useMemo } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { useSeen } from '../../ui/use-seen.ts';
import { figureText } from './figure-text.ts';
import { figureAt } from './figures.ts';
import { stateOfReport } from './report-state.ts';
import { type LoadedReport, useReport } from './use-report.ts';

/** Pixels. */
const HEIGHT = 64;
/** Values of a drawing: the newest periods, or the first of others. */
const MOST = 24;

export function ReportSketch({ view }: { readonly view: View }) {
  const { ref, isSeen } = useSeen();
  return (
    <Box ref={ref} h={HEIGHT} style={{ overflow: 'hidden' }}>
      {isSeen && !view.hidden && (
        <Suspense fallback={null}>
          <Sketch view={view} />
        </Suspense>
      )}
    </Box>
  );
}

function Sketch({ view }: { readonly view: View }) {
  const object = useObject(view.object_type);
  const state = useMemo(() => stateOfReport(view, object), [view, object]);
  const { report } = useReport(object, state);
  if (report === undefined) return null;
  const values = valuesOf(report);
  if (values === undefined) return <Figure report={report} />;
  if (values.length === 0) return <Nothing />;
  return <Drawing values={values} isLine={state.chart === 'lines'} />;
}

/** The figures of the first group, added up over the second; undefined: there are none to draw. */
function valuesOf({ figures, state }: LoadedReport): readonly number[] | undefined {
  const [first, second] = figures.dimensions;
  if (first === undefined) return undefined;
  const isOfTime = first.group.by !== undefined;
  return first.values.slice(...(isOfTime ? [-MOST] : [0, MOST])).map((value) => {
    const at = second === undefined ? [[value]] : second.values.map((other) => [value, other]);
    return at.reduce((sum, place) => sum + (figureAt(figures, state, { at: place }) ?? 0), 0);
  });
}

function Figure({ report: { figures, state, metrics } }: { readonly report: LoadedReport }) {
  const formats = useFormats();
  const [metric] = metrics;
  if (metric === undefined) return null;
  const value = figureAt(figures, state, { at: [] });
  return (
    <Text fz="1.75rem" lh={`${HEIGHT}px`} fw={600} truncate>
      {figureText(value, metric, formats)}
    </Text>
  );
}

function Nothing() {
  const t = useT();
  return (
    <Text fz="sm" c="dimmed" lh={`${HEIGHT}px`}>
      {t('reports.empty')}
    </Text>
  );
}

interface DrawingProps {
  readonly values: readonly number[];
  readonly isLine: boolean;
}

/** The page of the report has the names and the figures. */
function Drawing({ values, isLine }: DrawingProps) {
  const top = Math.max(...values, 0);
  const bottom = Math.min(...values, 0);
  const y = (value: number) => (HEIGHT * (top - value)) / (top - bottom || 1);
  const step = 100 / values.length;
  const points = values.map((value, at) => `${(at + 0.5) * step},${y(value)}`).join(' ');
  return (
    <svg
      width="100%"
      height={HEIGHT}
      viewBox={`0 -1 100 ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {isLine ? (
        <polyline
          points={points}
          fill="none"
          stroke="var(--tint-indigo-mark)"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      ) : (
        values.map((value, at) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a value has its place and nothing else.
            key={at}
            x={at * step + step * 0.15}
            width={step * 0.7}
            y={Math.min(y(value), y(0))}
            height={Math.max(1, Math.abs(y(value) - y(0)))}
            fill="var(--tint-indigo-mark)"
          />
        ))
      )}
    </svg>
  );
}
