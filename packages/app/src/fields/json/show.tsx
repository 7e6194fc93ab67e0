import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  return <code className={classes.code}>{JSON.stringify(value)}</code>;
}

export const json: FieldShow = { Show, width: 200, isSorted: false };
