import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  const address = String(value);
  return (
    <a className={classes.line} href={`mailto:${encodeURIComponent(address)}`}>
      {address}
    </a>
  );
}

export const email: FieldShow = { Show, width: 220 };
