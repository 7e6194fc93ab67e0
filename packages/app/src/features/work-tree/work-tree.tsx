// The work items below a work item, as a tree that is read level by level; how far they are; and moving one to another parent.

import { Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { useT } from '../../lib/messages/index.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { useSession } from '../../lib/session.ts';
import {
  childrenQuery,
  countStatuses,
  PARENT_KEY,
  progressQuery,
  type StatusCount,
} from '../../lib/work-tree.ts';
import { useSeen } from '../../ui/use-seen.ts';
import { Branch } from './branch.tsx';
import classes from './work-tree.module.css';

export function WorkTree({ object, record }: PartProps) {
  const t = useT();
  const id = useId();
  const { ref, isSeen } = useSeen();
  const progress = useProgress(record.id, isSeen);
  const nameOf = (status: string | null) => {
    const options = object.fields.find(({ key }) => key === 'status')?.options ?? [];
    return options.find(({ value }) => value === status)?.label ?? status ?? '–';
  };
  return (
    <section ref={ref} className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {t('tree.title')}
        </h2>
        <Text span c="dimmed" fz="xs" flex={1}>
          {progress
            .map(({ status, count }) => t('tree.progress', { count, name: nameOf(status) }))
            .join(' · ')}
        </Text>
        <NewRecordButton
          object={object}
          variant="subtle"
          preset={{ [PARENT_KEY]: record.id }}
          onCreated={() => undefined}
        />
      </div>
      {isSeen && <Branch id={record.id} object={object} above={[record.id]} />}
    </section>
  );
}

const NONE: readonly StatusCount[] = [];

/** A short list is counted from its own page; the service counts longer ones. */
function useProgress(id: string, isSeen: boolean): readonly StatusCount[] {
  const session = useSession();
  const { data, hasNextPage } = useInfiniteQuery({
    ...childrenQuery(session, id),
    enabled: isSeen,
  });
  const { data: counted = NONE } = useQuery({
    ...progressQuery(session, id),
    enabled: hasNextPage,
  });
  if (hasNextPage || data === undefined) return counted;
  return countStatuses(data.pages.flatMap((page) => page.data));
}
