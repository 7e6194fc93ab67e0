// The tools of a board: the field of the columns, the summed field, and for work items the shown type.

import { NativeSelect } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useId } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { NO_SUM } from '../../lib/view-state.ts';
import classes from './board.module.css';
import { summedField, summedFields } from './card-fields.ts';
import { columnFields, requestedType, withType } from './columns.ts';

export function BoardTools({
  object,
  view,
  field,
  onChange,
}: LayoutProps & { readonly field: Field }) {
  const t = useT();
  const nameOf = ({ key, name }: Field) => ({ value: key, label: name ?? key });
  const sums = summedFields(object);
  const types = object.work_item_types ?? [];
  return (
    <div className={classes.tools}>
      <Tool
        label={t('board.by')}
        data={columnFields(object).map(nameOf)}
        value={field.key}
        onChange={(by) => onChange({ ...view, by })}
      />
      {sums.length > 0 && (
        <Tool
          label={t('board.sum')}
          data={[{ value: NO_SUM, label: t('board.noSum') }, ...sums.map(nameOf)]}
          value={summedField(object, view.sum)?.key ?? NO_SUM}
          onChange={(sum) => onChange({ ...view, sum })}
        />
      )}
      {types.length > 1 && (
        <Tool
          label={t('board.type')}
          data={[
            { value: '', label: t('board.anyType') },
            ...types.map(({ id, name }) => ({ value: id, label: name ?? id })),
          ]}
          value={requestedType(view.where) ?? ''}
          onChange={(type) =>
            onChange({ ...view, where: withType(view.where, type === '' ? undefined : type) })
          }
        />
      )}
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Tool({ label, data, value, onChange }: ToolProps) {
  const id = useId();
  return (
    <div className={classes.tool}>
      <label htmlFor={id}>{label}</label>
      <NativeSelect
        id={id}
        size="xs"
        data={[...data]}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
