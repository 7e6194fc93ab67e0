// The fields that records can be filtered by: those of the object, and those behind its references where the person may
// read every record that they lead to.

import { useQueries, useQuery } from '@tanstack/react-query';
import type { Field, ObjectDefinition, ObjectSummary } from '@workspace-records/client';
import { useMemo } from 'react';
import { filterOf } from '../../fields/filters.ts';
import { isOfRecord, isQueryable } from '../../lib/field-facts.ts';
import { offeredFields } from '../../lib/field-order.ts';
import { objectQuery, objectsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

export interface FilterField {
  /** A key, or `company_id.sector`. */
  readonly path: string;
  readonly field: Field;
  readonly label: string;
  /** The object that it is a field of. */
  readonly object: Pick<ObjectDefinition, 'object_type' | 'display_field' | 'name'>;
  /** The reference that it is behind. */
  readonly through: string | undefined;
}

export function nameOf({ name, key }: Pick<Field, 'name' | 'key'>): string {
  return name ?? key;
}

export function useFilterFields(object: ObjectDefinition, isOwn: boolean): readonly FilterField[] {
  const session = useSession();
  const { data: objects } = useQuery(objectsQuery(session));
  const references = useMemo(
    () => (isOwn ? [] : referencesOf(object).filter((field) => isOpen(objects, targetOf(field)))),
    [object, objects, isOwn],
  );
  const targets = useQueries({
    queries: references.map((field) => objectQuery(session, targetOf(field))),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(
    () => [
      ...filterable(object).map((field) => fieldOf(object, field)),
      ...references.flatMap((reference, index) => {
        const target = targets[index];
        if (target === undefined) return [];
        return filterable(target).map((field) => fieldOf(target, field, reference));
      }),
    ],
    [object, references, targets],
  );
}

/** The field of a condition; undefined while it is not known, or when it is gone. */
export function useFieldAt(object: ObjectDefinition, path: string): FilterField | undefined {
  const session = useSession();
  const [key = '', behind] = path.split('.');
  const directField = object.fields.find((field) => field.key === key);
  const isBehind = behind !== undefined && directField !== undefined && isOfRecord(directField);
  const { data: target } = useQuery({
    ...objectQuery(session, isBehind ? targetOf(directField) : object.object_type),
    enabled: isBehind,
  });
  return useMemo(() => {
    if (directField === undefined) return undefined;
    if (!isBehind) return fieldOf(object, directField);
    const field = target?.fields.find((one) => one.key === behind);
    return field === undefined || target === undefined
      ? undefined
      : fieldOf(target, field, directField);
  }, [object, directField, isBehind, behind, target]);
}

function filterable(object: ObjectDefinition): readonly Field[] {
  return offeredFields(object).filter(
    (field) => isQueryable(field) && filterOf(field) !== undefined,
  );
}

function referencesOf(object: ObjectDefinition): readonly Field[] {
  return filterable(object).filter(isOfRecord);
}

function targetOf({ constraints }: Field): string {
  return String(constraints?.reference_object_type);
}

/** A condition behind a reference is refused to people who may not read all of its targets. */
function isOpen(objects: readonly ObjectSummary[] | undefined, type: string): boolean {
  const target = objects?.find(({ object_type }) => object_type === type);
  return target?.permissions.read.scopes.includes('org_wide') === true;
}

function fieldOf(object: FilterField['object'], field: Field, reference?: Field): FilterField {
  const label = nameOf(field);
  return {
    path: reference === undefined ? field.key : `${reference.key}.${field.key}`,
    field,
    object,
    label: reference === undefined ? label : `${nameOf(reference)} › ${label}`,
    through: reference === undefined ? undefined : nameOf(reference),
  };
}
