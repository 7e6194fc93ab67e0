// A value on a card: what lists show, without links in it, for the card has one.

import type { Field } from '@workspace-records/client';
import { showOf } from '../../fields/shows.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { Hidden } from '../../ui/hidden.tsx';
import classes from './board.module.css';

interface CardValueProps {
  readonly field: Field;
  readonly value: unknown;
}

const LINKS: ReadonlySet<string> = new Set(['email', 'url']);

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
  if (field.type === 'reference') return <ReferenceName field={field} id={String(value)} />;
  if (LINKS.has(field.type)) return String(value);
  const { Show } = showOf(field);
  return <Show value={value} field={field} />;
}

function ReferenceName({ field, id }: { readonly field: Field; readonly id: string }) {
  const { name, isPending } = useRecordName(String(field.constraints?.reference_object_type), id);
  return name ?? (isPending ? '' : id.slice(0, 8));
}
