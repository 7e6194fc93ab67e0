// The question of a report: its object, groups, metrics and conditions, and how it is drawn.

import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import FilterBar from '../../editing/filters/filter-bar.tsx';
import { useFilterFields } from '../../editing/filters/filter-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import { useReadableObjects } from '../../lib/schema-queries.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import { GroupsTool } from './groups-tool.tsx';
import { MetricsTool } from './metrics-tool.tsx';
import { type ChartName, possibleCharts, type ReportState } from './report-state.ts';
import classes from './reports.module.css';

export interface ToolProps {
  readonly object: ObjectDefinition;
  readonly state: ReportState;
  readonly onChange: (state: ReportState) => void;
}

interface ReportToolsProps extends ToolProps {
  /** Undefined: the object of a saved report stays. */
  readonly onObject: ((type: string) => void) | undefined;
}

export function ReportTools({ onObject, ...tool }: ReportToolsProps) {
  const { object, state, onChange } = tool;
  const fields = useFilterFields(object, false);
  return (
    <div className={classes.tools}>
      <ObjectTool object={object} onObject={onObject} />
      <GroupsTool {...tool} fields={fields} />
      <MetricsTool {...tool} fields={fields} />
      <FilterBar
        object={object}
        where={state.where}
        onChange={(where) => onChange({ ...state, where })}
      />
      <ChartSwitch {...tool} />
    </div>
  );
}

function ObjectTool({ object, onObject }: Pick<ReportToolsProps, 'object' | 'onObject'>) {
  const t = useT();
  const readable = useReadableObjects();
  const name = object.name ?? object.object_type;
  if (onObject === undefined) {
    return (
      <span className={classes.object}>
        <Icon name={iconOf(object)} size={14} />
        {name}
      </span>
    );
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ToolButton
          icon={iconOf(object)}
          keepsWord
          variant="default"
          rightSection={<Icon name="chevron" size={12} />}
          aria-label={t('reports.objectIs', { name })}
        >
          {name}
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        {readable.map((one) => (
          <Menu.Item
            key={one.object_type}
            leftSection={<Icon name={iconOf(one)} />}
            onClick={() => onObject(one.object_type)}
          >
            {one.name ?? one.object_type}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export const CHART_ICONS: Readonly<Record<ChartName, IconName>> = {
  bars: 'bars',
  lines: 'line',
  funnel: 'filter',
  table: 'table',
  number: 'hash',
};

export const CHART_LABELS = {
  bars: 'reports.bars',
  lines: 'reports.lines',
  funnel: 'reports.funnel',
  table: 'reports.table',
  number: 'reports.number',
} as const;

function ChartSwitch({ object, state, onChange }: ToolProps) {
  const t = useT();
  return (
    <fieldset className={classes.charts} aria-label={t('reports.chart')}>
      {possibleCharts(state, object).map((chart) => (
        <Tooltip key={chart} label={t(CHART_LABELS[chart])} position="bottom">
          <ActionIcon
            aria-label={t(CHART_LABELS[chart])}
            aria-pressed={chart === state.chart}
            className={classes.chart}
            onClick={() => onChange({ ...state, chart })}
          >
            <Icon name={CHART_ICONS[chart]} />
          </ActionIcon>
        </Tooltip>
      ))}
    </fieldset>
  );
}
