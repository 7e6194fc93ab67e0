// Names of fields and relationships; a key that no longer exists is its own name.

import type { ObjectDefinition } from '@workspace-records/client';
import { useMemo } from 'react';
import { linkedName, relationshipsOf } from '../../lib/relationships.ts';
import { useObjects } from '../../lib/schema-queries.ts';

export function useNames(object: ObjectDefinition): (key: string) => string {
  const objects = useObjects();
  return useMemo(() => {
    const fields = object.fields.map(({ key, name }) => [key, name ?? key] as const);
    const all = relationshipsOf(object);
    const others = all.map((one) => {
      const other = objects.find(({ object_type }) => object_type === one.object_type);
      return [one.id, linkedName(one, { object, other, all })] as const;
    });
    const names = new Map([...others, ...fields]);
    return (key) => names.get(key) ?? key;
  }, [object, objects]);
}
