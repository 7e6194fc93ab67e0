// A value on a card: what lists show, without links in it, for the card has one.

import type { Field } from '@workspace-records/client';
import { kindOf } from '../../fields/kinds.ts';
import { Hidden } from '../../ui/hidden.tsx';
import classes from './board.module.css';

interface CardValueProps {
  readonly field: Field;
  readonly value: unknown;
}

export function CardValue({ field, value }: CardValueProps) {
  if (value === null) return null;
  return (
    <span className={classes.value} title={field.name ?? field.key}>
      <Hidden>{field.name ?? field.key}: </Hidden>
      <Shown field={field} value={value} />
    </span>
  );
}

function Shown({ field, value }: CardValueProps) {
  const { Show, Word, isLink = false } = kindOf(field);
  return isLink ? <Word value={value} field={field} /> : <Show value={value} field={field} />;
}
