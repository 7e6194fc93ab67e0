// The metrics of a report: up to four, of which the first one is drawn.

import { ActionIcon, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { FilterField } from '../../editing/filters/filter-fields.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { Floating } from '../../ui/floating.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SelectWithin } from '../../ui/select-within.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import { metricText } from './figure-text.ts';
import { metricId, offeredMetrics } from './report-fields.ts';
import { MOST_METRICS, type ReportMetric } from './report-state.ts';
import type { ToolProps } from './report-tools.tsx';
import classes from './reports.module.css';

interface MetricsToolProps extends ToolProps {
  readonly fields: readonly FilterField[];
}

export function MetricsTool({ state, fields, onChange }: MetricsToolProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const { metrics } = state;
  const textOf = (metric: ReportMetric) => textIn(fields, metric, t);
  return (
    <Floating
      title={t('reports.metrics')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      target={
        <ToolButton icon="hash" isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          {shortened(metrics.map(textOf))}
        </ToolButton>
      }
    >
      <MetricList
        metrics={metrics}
        offered={offeredMetrics(fields)}
        textOf={textOf}
        onChange={(next) => onChange({ ...state, metrics: next })}
      />
    </Floating>
  );
}

/** The one in the chart, and how many others there are. */
function shortened([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} +${others.length}`;
}

function textIn(fields: readonly FilterField[], metric: ReportMetric, t: Translate): string {
  const found = fields.find(({ path }) => path === metric.path);
  const field = found && { ...found.field, name: found.label };
  return metricText({ metric, field }, t);
}

interface MetricListProps {
  readonly metrics: readonly ReportMetric[];
  readonly offered: readonly ReportMetric[];
  readonly textOf: (metric: ReportMetric) => string;
  readonly onChange: (metrics: readonly ReportMetric[]) => void;
}

function MetricList({ metrics, offered, textOf, onChange }: MetricListProps) {
  const t = useT();
  const free = offered.filter((one) => !metrics.some((other) => metricId(other) === metricId(one)));
  const [next] = free;
  return (
    <Stack maw="100%" w="18rem">
      {metrics.map((metric, index) => (
        <div key={metricId(metric)} className={classes.metric}>
          <SelectWithin
            label={index === 0 ? t('reports.drawn') : t('reports.further')}
            data={[metric, ...free].map((one) => ({ value: metricId(one), label: textOf(one) }))}
            value={metricId(metric)}
            allowDeselect={false}
            onChange={(id) => {
              const found = free.find((one) => metricId(one) === id);
              if (found !== undefined) onChange(metrics.with(index, found));
            }}
          />
          {index > 0 && (
            <ActionIcon
              aria-label={t('reports.drawFirst', { name: textOf(metric) })}
              onClick={() => onChange([metric, ...metrics.filter((one) => one !== metric)])}
            >
              <Icon name="up" size={14} />
            </ActionIcon>
          )}
          {metrics.length > 1 && (
            <ActionIcon
              aria-label={t('reports.removeMetric', { name: textOf(metric) })}
              onClick={() => onChange(metrics.filter((one) => one !== metric))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          )}
        </div>
      ))}
      {next !== undefined && metrics.length < MOST_METRICS && (
        <Button
          variant="subtle"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => onChange([...metrics, next])}
        >
          {t('reports.addMetric')}
        </Button>
      )}
    </Stack>
  );
}
