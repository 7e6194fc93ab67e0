// The report of an erasure: how much it found in each place, the files that it names, and why a record was refused.

import { Text } from '@mantine/core';
import type { JobDetails } from '@workspace-records/client';
import { type MessageKey, type Translate, told, useT } from '../../lib/messages/index.ts';
import classes from './erasure.module.css';

type CountKey = Extract<MessageKey, `erasure.place.${string}`>;

/** A place of a later release is its own text. */
const PLACES: Readonly<Record<string, CountKey | undefined>> = {
  records: 'erasure.place.records',
  trash: 'erasure.place.trash',
  history: 'erasure.place.history',
  comments: 'erasure.place.comments',
  attachments: 'erasure.place.attachments',
  links: 'erasure.place.links',
  status_requests: 'erasure.place.requests',
  stored_answers: 'erasure.place.answers',
  deliveries: 'erasure.place.deliveries',
  search: 'erasure.place.search',
  refusals: 'erasure.place.refusals',
  files: 'erasure.place.files',
  rejected_rows: 'erasure.place.rejected',
  job_requests: 'erasure.place.jobs',
  search_words: 'erasure.place.words',
};

export function ErasureReport({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const counts = Object.entries(job.counts).filter(
    ([place, count]) => place !== 'refused' && count > 0,
  );
  return (
    <>
      {counts.length === 0 && <Text mb="md">{t('erasure.nothing')}</Text>}
      <ul className={classes.list}>
        {counts.map(([place, count]) => (
          <li key={place}>{countText(place, count, t)}</li>
        ))}
      </ul>
      {job.notes.length > 0 && (
        <ul className={classes.files} aria-label={t('erasure.files')}>
          {job.notes.map((note) => (
            <li key={note}>{told(note)}</li>
          ))}
        </ul>
      )}
      {job.problems.map(({ record_id: id, reason }) => (
        <Text key={`${id} ${reason}`} mb="md" role="alert">
          {told(reason)}
        </Text>
      ))}
      {job.about.dry_run !== true && <Text mb="md">{t('erasure.left')}</Text>}
    </>
  );
}

function countText(place: string, count: number, t: Translate): string {
  const key = PLACES[place];
  return key === undefined ? `${place}: ${count}` : t(key, { count });
}
