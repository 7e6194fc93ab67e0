// The result of a change of many records: how many were changed, and why others were not.

import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JobDetails } from '@workspace-records/client';
import { told, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { objectTypeOf } from './job-words.ts';
import classes from './jobs.module.css';

export function BulkResult({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const { workspace } = useSession();
  const { changed = 0, unchanged = 0, refused = 0 } = job.counts;
  const type = objectTypeOf(job);
  return (
    <>
      <Group component="p" gap="0.25rem 1rem" c="dimmed" m={0}>
        <span>{t('jobs.changed', { count: changed })}</span>
        <span>{t('jobs.unchanged', { count: unchanged })}</span>
        <span>{t('jobs.refused', { count: refused })}</span>
      </Group>
      <ul className={classes.notes}>
        {job.problems.map(({ record_id: id, field, reason }) => (
          <li key={`${id} ${field} ${reason}`}>
            {type !== undefined && id !== undefined && (
              <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }}>
                {t('jobs.record')}
              </Link>
            )}{' '}
            {told(reason)}
          </li>
        ))}
      </ul>
    </>
  );
}
