import { useFormats } from '../../lib/format.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  const { moment } = useFormats();
  return (
    <time className={classes.line} dateTime={String(value)}>
      {moment(String(value))}
    </time>
  );
}

export const datetime: FieldShow = { Show, width: 170 };
