import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  return <span className={classes.lines}>{String(value)}</span>;
}

export const long_text: FieldShow = { Show, width: 260 };
