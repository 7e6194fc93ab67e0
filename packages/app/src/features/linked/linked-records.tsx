// The records that are linked to a record: a section for each relationship, with the newest of its records and their
// number. All of them are one request.

import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { PartProps } from '../../lib/record-part.ts';
import {
  isListed,
  type LinkedStart,
  linkedName,
  linkedStartQuery,
  relationshipsOf,
} from '../../lib/relationships.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { CHILDREN, hasTree } from '../../lib/work-tree.ts';
import classes from './linked-section.module.css';
import { LinkedSection } from './linked-section.tsx';

export function LinkedRecords({ object, record, canChange }: PartProps) {
  const objects = useObjects();
  const session = useSession();
  const place = { type: record.object_type, id: record.id };
  // References of the record itself are fields of it; children of a work item have a part of their own.
  const others = relationshipsOf(object).filter(
    ({ id, source_field }) => source_field === null && !(id === CHILDREN && hasTree(object)),
  );
  const sections = others.flatMap((relationship) => {
    const other = objects.find(({ object_type }) => object_type === relationship.object_type);
    if (other === undefined || !isListed(relationship, other)) return [];
    const name = linkedName(relationship, { object, other, all: others });
    return [{ name, linked: { place, relationship, other } }];
  });
  const starts = useQueries({
    queries: sections.map(({ linked }) => linkedStartQuery(session, linked)),
  });
  if (starts.some(({ isPending }) => isPending)) return <Awaited count={sections.length} />;
  const known = sections.map((section, index) => ({ ...section, start: starts[index] }));
  return (
    <>
      {known
        .toSorted((one, other) => rankOf(one.start?.data) - rankOf(other.start?.data))
        .map(({ name, linked, start }) => (
          <LinkedSection
            key={linked.relationship.id}
            {...{ name, linked }}
            start={start?.data}
            error={start?.error ?? null}
            canLink={canChange && linked.relationship.can_link}
          />
        ))}
    </>
  );
}

/** Those without records come last. */
function rankOf(start: LinkedStart | undefined): number {
  return start?.count === 0 ? 1 : 0;
}

function Awaited({ count }: { readonly count: number }) {
  return Array.from({ length: count }, (_, index) => index).map((index) => (
    <div key={index} className={classes.section} aria-hidden="true">
      <div className={classes.head}>
        <Skeleton height={12} width="30%" />
      </div>
    </div>
  ));
}
