import type { Field } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

/** Numbers with their units and marks. */
export function numberShow(optionsOf: (field: Field) => Intl.NumberFormatOptions): FieldShow {
  function Show({ value, field }: ShowProps) {
    const { number } = useFormats();
    return <span className={classes.line}>{number(Number(value), optionsOf(field))}</span>;
  }
  return { Show, width: 120, align: 'end' };
}

const DIGITS = { maximumFractionDigits: 15 };

export const number = numberShow(() => DIGITS);
