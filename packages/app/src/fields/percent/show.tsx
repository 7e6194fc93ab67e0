import { useFormats } from '../../lib/format.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

/** 50 is a half: the format of `Intl` would make it 5,000 %. */
function Show({ value }: ShowProps) {
  const { number } = useFormats();
  return (
    <span className={classes.line}>{number(Number(value), { maximumFractionDigits: 15 })} %</span>
  );
}

export const percent: FieldShow = { Show, width: 100, align: 'end' };
