// The records that are linked to a record: a section for each relationship, with the newest of its records and their
// number. All of them are one request.

import { Group, Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { PartProps } from '../../lib/record-part.ts';
import {
  type LinkedStart,
  linkedName,
  linkedOf,
  linkedStartQuery,
} from '../../lib/relationships.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import classes from './linked-section.module.css';
import { LinkedSection } from './linked-section.tsx';

export function LinkedRecords({ object, record, canChange }: PartProps) {
  const objects = useObjects();
  const session = useSession();
  const shown = linkedOf(object, objects, record.id);
  const all = shown.map(({ relationship }) => relationship);
  const sections = shown.map((linked) => {
    const { relationship, other } = linked;
    return { name: linkedName(relationship, { object, other, all }), linked };
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

/** The rank in the list: relationships without records come last. */
function rankOf(start: LinkedStart | undefined): number {
  return start?.count === 0 ? 1 : 0;
}

function Awaited({ count }: { readonly count: number }) {
  return Array.from({ length: count }, (_, index) => index).map((index) => (
    <div key={index} className={classes.section} aria-hidden="true">
      <Group gap="xs" mih={32}>
        <Skeleton height={12} width="30%" />
      </Group>
    </div>
  ));
}
