import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';
import { labelOf } from '../options.ts';

function Show({ value, field }: ShowProps) {
  return <span className={classes.tag}>{labelOf(field, value)}</span>;
}

export const select: FieldShow = { Show, width: 140 };
