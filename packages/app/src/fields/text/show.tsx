import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  return <span className={classes.line}>{String(value)}</span>;
}

export const text: FieldShow = { Show, width: 180 };
