// The records that are linked to a record: a section for each relationship, read when somebody opens it.

import type { PartProps } from '../../lib/record-part.ts';
import { isListed, linkedName, relationshipsOf } from '../../lib/relationships.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { CHILDREN, hasTree } from '../../lib/work-tree.ts';
import { LinkedSection } from './linked-section.tsx';

export function LinkedRecords({ object, record, canChange }: PartProps) {
  const objects = useObjects();
  const place = { type: record.object_type, id: record.id };
  // References of the record itself are fields of it; children of a work item have a part of their own.
  const others = relationshipsOf(object).filter(
    ({ id, source_field }) => source_field === null && !(id === CHILDREN && hasTree(object)),
  );
  return (
    <>
      {others.map((relationship) => {
        const other = objects.find(({ object_type }) => object_type === relationship.object_type);
        if (other === undefined || !isListed(relationship, other)) return null;
        return (
          <LinkedSection
            key={relationship.id}
            name={linkedName(relationship, { object, other, all: others })}
            linked={{ place, relationship, other }}
            canLink={canChange && relationship.can_link}
          />
        );
      })}
    </>
  );
}
