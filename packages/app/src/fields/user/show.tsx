import { usePersonName } from '../../lib/person-names.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  return <span className={classes.line}>{usePersonName(Number(value))}</span>;
}

export const user: FieldShow = { Show, width: 170, isSorted: false };
