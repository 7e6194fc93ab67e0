// The fields that a condition of a gate can be about, and its operators: as the service has them (src/model/gate.ts
// there).

import { useQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import type { FieldFilter, Phrase } from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

const TEXTUAL: ReadonlySet<string> = new Set(['text', 'long_text', 'email', 'phone', 'url']);
const WITHOUT: ReadonlySet<string> = new Set(['reference', 'user', 'json', 'file']);
const ORDERING: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte', 'between']);

/** Undefined: a gate has no conditions about such fields. */
export function gateFilterOf(field: Pick<Field, 'type'>): FieldFilter | undefined {
  const filter = filterOf(field);
  if (filter === undefined || WITHOUT.has(field.type)) return undefined;
  const isText = TEXTUAL.has(field.type);
  const isJudged = ({ op, takes, isPart }: Phrase) =>
    takes !== 'period' && isPart !== true && !(isText && ORDERING.has(op));
  return { ...filter, phrases: filter.phrases.filter(isJudged) };
}

/** Those in force that all objects of the workflow have. */
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
