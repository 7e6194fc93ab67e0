// The fields that a condition of a gate can be about, and its operators.

import { useQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import type { FieldFilter, Phrase } from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import { factsOf } from '../../lib/field-facts.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** Undefined: a gate has no conditions about such fields. */
export function gateFilterOf(field: Pick<Field, 'type'>): FieldFilter | undefined {
  const filter = filterOf(field);
  const { gate_operators } = factsOf(field);
  if (filter === undefined || gate_operators.length === 0) return undefined;
  const isJudged = ({ op, takes }: Phrase) => takes !== 'period' && gate_operators.includes(op);
  return { ...filter, phrases: filter.phrases.filter(isJudged) };
}

/** The fields in force that all objects of the workflow have and a gate can check. */
export function useGateFields(id: string): readonly Field[] {
  const session = useSession();
  const { document } = useDefinition();
  const types = usersOfWorkflow(document, id).map(([section, key]) =>
    section === 'objects' ? (key ?? '') : 'work_items',
  );
  const [type = ''] = types;
  const { data: object } = useQuery({ ...objectQuery(session, type), enabled: type !== '' });
  return (object?.fields ?? []).filter(
    (field) =>
      gateFilterOf(field) !== undefined &&
      types.every((one) => document.objects[one]?.fields[field.key] !== undefined),
  );
}
