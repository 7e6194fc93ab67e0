import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';
import { labelOf } from '../options.ts';

function Show({ value, field }: ShowProps) {
  const values = Array.isArray(value) ? value : [value];
  return (
    <span className={classes.tags}>
      {values.map((one) => (
        <span key={String(one)} className={classes.tag}>
          {labelOf(field, one)}
        </span>
      ))}
    </span>
  );
}

export const multi_select: FieldShow = { Show, width: 200, isSorted: false };
