// The rules of a field beyond its type, as short words beside its name.

import type { FieldEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import classes from './model.module.css';

interface FieldFactsProps {
  readonly field: FieldEntry;
  readonly role: 'display' | 'subtitle' | undefined;
}

export function FieldFacts({ field, role }: FieldFactsProps) {
  const t = useT();
  const { document } = useDefinition();
  const { required, unique, options, reference_object_type: target, editable } = field;
  const facts = [
    role === 'display' && t('fields.display'),
    role === 'subtitle' && t('fields.subtitle'),
    required === true && t('fields.required'),
    unique === true && t('fields.unique'),
    editable === false && t('fields.locked'),
    options !== undefined && t('fields.options', { count: options.length }),
    target !== undefined && `→ ${document.objects[target]?.name ?? target}`,
    field.type === 'currency' && field.currency,
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
