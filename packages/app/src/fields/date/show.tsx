import { useFormats } from '../../lib/format.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  const { day } = useFormats();
  return <span className={classes.line}>{day(String(value))}</span>;
}

export const date: FieldShow = { Show, width: 120 };
