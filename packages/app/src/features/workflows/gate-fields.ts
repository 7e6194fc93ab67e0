// The fields that a condition of a gate can be about.

import { useQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { gateFilterOf } from '../../editing/filters/own-condition.tsx';
import { useDefinition } from '../../lib/definition/draft.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

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
