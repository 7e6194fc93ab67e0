// The groups of a report: by a field, or the periods of one, and by a second one.

import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { FilterField } from '../../editing/filters/filter-fields.ts';
import { clearOnBackspace } from '../../fields/clear-key.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { Floating } from '../../ui/floating.tsx';
import { SelectWithin } from '../../ui/select-within.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import { fieldOptions } from './field-options.ts';
import { PERIODS, type PeriodUnit } from './periods-of.ts';
import { groupAt, groupable } from './report-fields.ts';
import type { ReportGroup } from './report-state.ts';
import type { ToolProps } from './report-tools.tsx';

interface GroupsToolProps extends ToolProps {
  readonly fields: readonly FilterField[];
}

export function GroupsTool({ state, fields, onChange }: GroupsToolProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const possible = groupable(fields);
  const { groups } = state;
  const put = (index: number, group: ReportGroup | undefined) => {
    const rest = groups.filter((_, at) => at !== index);
    const next = group === undefined ? rest : rest.toSpliced(index, 0, group);
    onChange({ ...state, groups: next });
  };
  const [first, second] = groups;
  const names = groups.map((group) => groupText(group, possible, t)).join(', ');
  return (
    <Floating
      title={t('reports.groups')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      target={
        <ToolButton icon="group" isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          {groups.length === 0 ? t('reports.groups') : t('reports.groupedBy', { names })}
        </ToolButton>
      }
    >
      <Stack maw="100%" w="18rem">
        <GroupEdit
          label={t('reports.groupBy')}
          fields={possible}
          group={first}
          onChange={(group) => put(0, group)}
        />
        {first !== undefined && (
          <GroupEdit
            label={t('reports.thenBy')}
            fields={possible.filter(({ path }) => path !== first.path)}
            group={second}
            onChange={(group) => put(1, group)}
          />
        )}
      </Stack>
    </Floating>
  );
}

export const PERIOD_WORDS = {
  day: 'reports.byDay',
  week: 'reports.byWeek',
  month: 'reports.byMonth',
  quarter: 'reports.byQuarter',
  year: 'reports.byYear',
} as const;

function groupText({ path, by }: ReportGroup, fields: readonly FilterField[], t: Translate) {
  const name = fields.find((one) => one.path === path)?.label ?? path;
  return by === undefined ? name : `${name} ${t(PERIOD_WORDS[by])}`;
}

interface GroupEditProps {
  readonly label: string;
  readonly fields: readonly FilterField[];
  readonly group: ReportGroup | undefined;
  readonly onChange: (group: ReportGroup | undefined) => void;
}

function GroupEdit({ label, fields, group, onChange }: GroupEditProps) {
  const t = useT();
  const groupField = fields.find(({ path }) => path === group?.path);
  return (
    <>
      <SelectWithin
        label={label}
        data={fieldOptions(fields, t)}
        value={group?.path ?? null}
        placeholder={t('reports.nothing')}
        clearable
        allowDeselect={false}
        clearButtonProps={{ 'aria-label': t('reports.removeGroup') }}
        onKeyDown={clearOnBackspace(() => onChange(undefined))}
        onChange={(path) => {
          const next = fields.find((one) => one.path === path);
          onChange(next === undefined ? undefined : groupAt(next.path, next));
        }}
      />
      {group?.by !== undefined && (
        <NativeSelect
          size="sm"
          label={t('reports.period')}
          data={PERIODS.map((value) => ({ value, label: t(PERIOD_WORDS[value]) }))}
          value={group.by}
          onChange={({ currentTarget }) =>
            onChange({ ...group, by: currentTarget.value as PeriodUnit })
          }
        />
      )}
      {group?.by !== undefined && groupField !== undefined && isMoment(groupField) && (
        <ZoneEdit group={group} onChange={onChange} />
      )}
    </>
  );
}

/** Days are the same everywhere. */
function isMoment({ field }: FilterField): boolean {
  return factsOf(field).time === 'moment';
}

function ZoneEdit({
  group,
  onChange,
}: {
  readonly group: ReportGroup;
  readonly onChange: (group: ReportGroup) => void;
}) {
  const t = useT();
  const browserZone = t('reports.ownZone', { zone: zoneOfBrowser() });
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return (
    <NativeSelect
      size="sm"
      label={t('reports.zone')}
      data={[{ value: '', label: browserZone }, ...zones]}
      value={group.timezone ?? ''}
      onChange={({ currentTarget }) => {
        const { timezone: _, ...rest } = group;
        const timezone = currentTarget.value;
        onChange(timezone === '' ? rest : { ...rest, timezone });
      }}
    />
  );
}
