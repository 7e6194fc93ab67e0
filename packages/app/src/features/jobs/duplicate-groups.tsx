// The groups of records that a search for duplicates has found, each with the dialog that merges it.

import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { JobDetails, ObjectDefinition, RecordData } from '@workspace-records/client';
import '../../lib/merge-texts.ts';
import { useState } from 'react';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import framed from '../../ui/framed-rows.module.css';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RecordLink } from '../../ui/record-link.tsx';
import { objectTypeOf } from './job-words.ts';
import classes from './jobs.module.css';

const MergeDialog = later(() => import('../../editing/merge/merge-dialog.tsx'));

/** Only the person who started the search can read them. */
export function DuplicateGroups({ job }: { readonly job: JobDetails }) {
  const type = objectTypeOf(job);
  const { me } = useSession();
  if (type === undefined || job.asked_by_user_id !== me.user.id) return null;
  return <Groups id={job.id} type={type} count={job.counts.groups_found ?? 0} />;
}

interface GroupsProps {
  readonly id: string;
  readonly type: string;
  /** Of the groups when they were searched for. */
  readonly count: number;
}

function Groups({ id, type, count }: GroupsProps) {
  const t = useT();
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  const object = useObject(type);
  const [ids, setIds] = useState<readonly string[]>();
  const queryKey = [workspace, 'duplicates', id];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.records(type).duplicates(id, cursor === '' ? {} : { cursor }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
  const groups = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isNone = query.isSuccess && !query.hasNextPage && groups.length === 0;
  if (query.error !== null) return <Problem error={query.error} />;
  return (
    <>
      <Group component="p" gap="0.25rem 1rem" c="dimmed" m={0}>
        {isNone ? t('merge.noGroups') : t('merge.groups', { count })}
      </Group>
      <ul className={`${framed.rows} ${classes.jobs}`} hidden={groups.length === 0}>
        {groups.map((group) => (
          <DuplicateGroup
            key={group.records.map((one) => one.id).join(' ')}
            {...{ object, group }}
            onMerge={setIds}
          />
        ))}
      </ul>
      <MoreButton query={query}>{t('merge.more')}</MoreButton>
      {ids !== undefined && (
        <MergeDialog
          {...{ object, ids }}
          onClose={() => setIds(undefined)}
          onMerged={() => {
            setIds(undefined);
            void queries.invalidateQueries({ queryKey });
          }}
        />
      )}
    </>
  );
}

interface GroupProps {
  readonly object: ObjectDefinition;
  readonly group: { readonly fields: readonly string[]; readonly records: readonly RecordData[] };
  readonly onMerge: (ids: readonly string[]) => void;
}

function DuplicateGroup({ object, group: { fields, records }, onMerge }: GroupProps) {
  const t = useT();
  const fieldName = (key: string) => object.fields.find((one) => one.key === key)?.name ?? key;
  return (
    <li className={`${framed.covered} ${classes.job}`}>
      {records.map(({ id: record, display }) => (
        <RecordLink
          key={record}
          type={object.object_type}
          id={record}
          className={classes.duplicate}
        >
          {recordName({ display })}
        </RecordLink>
      ))}
      <span className={classes.small}>
        {t('merge.equal', { fields: fields.map(fieldName).join(', ') })}
      </span>
      <Button
        variant="default"
        w="fit-content"
        aria-label={t('merge.group', {
          names: records.map(({ display }) => recordName({ display })).join(', '),
        })}
        onClick={() => onMerge(records.map((one) => one.id))}
      >
        {t('grid.merge')}
      </Button>
    </li>
  );
}
