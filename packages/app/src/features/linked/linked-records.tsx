// The records that are linked to a record: a section for each relationship, read when somebody opens it.

import { useQuery } from '@tanstack/react-query';
import type { PartProps } from '../../lib/record-part.ts';
import { isListed, linkedName, relationshipsQuery } from '../../lib/relationships.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { CHILDREN, hasTree } from '../../lib/work-tree.ts';
import { Problem } from '../../ui/problem.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import { LinkedSection } from './linked-section.tsx';

export function LinkedRecords({ object, record, canChange }: PartProps) {
  const objects = useObjects();
  const place = { type: record.object_type, id: record.id };
  const { ref, isSeen } = useSeen();
  const { data = [], error } = useQuery({
    ...relationshipsQuery(useSession(), place),
    enabled: isSeen,
  });
  // References of the record itself are fields of it; children of a work item have a part of their own.
  const others = data.filter(
    ({ id, source_field }) => source_field === null && !(id === CHILDREN && hasTree(object)),
  );
  return (
    <div ref={ref}>
      {error !== null && <Problem error={error} />}
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
    </div>
  );
}
