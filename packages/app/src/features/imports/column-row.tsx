// A column: its heading with the first values, the field that it goes to, and how its texts become values.

import { NativeSelect, Stack } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { ColumnDetails } from './column-details.tsx';
import type { Column } from './column-forms.ts';
import classes from './column-row.module.css';
import type { ColumnPlan, Target } from './import-draft.ts';
import { importFields, isNeeded, nameOf } from './import-fields.ts';

/** Values below a heading. */
const SAMPLES = 3;

interface ColumnRowProps {
  readonly target: Target;
  readonly plan: ColumnPlan;
  readonly column: Column;
  /** The key of a field whose value is made of this column. */
  readonly partOf: string | undefined;
  readonly onChoose: (field: string | undefined) => void;
  readonly onChange: (plan: ColumnPlan) => void;
}

export function ColumnRow({ target, plan, column, partOf, ...on }: ColumnRowProps) {
  const { onChoose, onChange } = on;
  const t = useT();
  const { heading } = plan;
  const fields = importFields(target.object);
  const field = fields.find(({ key }) => key === plan.field);
  const madeField = fields.find(({ key }) => key === partOf);
  const samples = column.facts?.distinct.slice(0, SAMPLES) ?? [];
  const data = [
    {
      value: '',
      label: madeField ? t('import.partOf', { field: nameOf(madeField) }) : t('import.notImported'),
    },
    ...fields.map((one) => ({
      value: one.key,
      label: isNeeded(one) ? t('import.required', { name: nameOf(one) }) : nameOf(one),
    })),
  ];
  return (
    <li className={classes.row} data-left-out={(field ?? madeField) === undefined || undefined}>
      <div className={classes.column}>
        <span className={classes.heading}>{heading}</span>
        <span className={classes.samples}>
          {samples.length === 0 ? t('import.noValues') : samples.join(' · ')}
        </span>
      </div>
      <span className={classes.arrow}>
        <Icon name="right" size={14} />
      </span>
      <Stack gap="sm" miw={0}>
        <NativeSelect
          size="sm"
          aria-label={t('import.fieldOf', { heading })}
          data={data}
          value={plan.field ?? ''}
          onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : value)}
        />
        {field !== undefined && <ColumnDetails {...{ target, plan, field, column, onChange }} />}
      </Stack>
    </li>
  );
}
