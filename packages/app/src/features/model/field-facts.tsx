// The rules of a field beyond its type, as short words beside its name.

import type { FieldEntry } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import classes from './model.module.css';

interface FieldFactsProps {
  readonly field: FieldEntry;
  readonly role: 'display' | 'subtitle' | undefined;
  /** The name of the object that it refers to. */
  readonly target: string | undefined;
}

export function FieldFacts({ field, role, target }: FieldFactsProps) {
  const t = useT();
  const { required, unique, options, editable } = field;
  const facts = [
    role === 'display' && t('fields.display'),
    role === 'subtitle' && t('fields.subtitle'),
    required === true && t('fields.required'),
    unique === true && t('fields.unique'),
    editable === false && t('fields.locked'),
    options !== undefined && t('fields.options', { count: options.length }),
    target !== undefined && `→ ${target}`,
    field.currency,
  ].filter((fact) => typeof fact === 'string');
  return (
    <span className={classes.facts}>
      {facts.map((fact) => (
        <span key={fact} className={classes.fact}>
          {fact}
        </span>
      ))}
    </span>
  );
}
