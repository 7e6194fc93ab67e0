// A change of the definition that takes long: how far its job is, and what became of it.

import '../../lib/plan-texts.ts';
import { Button, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JobDetails } from '@workspace-records/client';
import { useEffect } from 'react';
import { dropDraft, useDefinition } from '../../lib/definition/draft.ts';
import { jobQuery } from '../../lib/jobs.ts';
import { type PlainKey, told, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import classes from './plans.module.css';

export default function JobPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('job.title')}>
      <SettingsFrame title={t('job.title')}>
        <ApplyJob />
      </SettingsFrame>
    </ForAdministrators>
  );
}

const STATES: Readonly<Record<JobDetails['state'], PlainKey>> = {
  queued: 'job.queued',
  running: 'job.running',
  done: 'job.done',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
};

function ApplyJob() {
  const t = useT();
  const session = useSession();
  const { workspace } = session;
  const { id } = useParams({ from: '/$workspace/shell/settings/plans/$id' });
  const { data: job } = useSuspenseQuery(jobQuery(session, id));
  useEndOfDraft(job);
  const isEnded = job.finished_at !== null;
  const { done = 0, total = null } = job.progress ?? {};
  const value = isEnded ? 100 : total === null || total === 0 ? 100 : (done / total) * 100;
  return (
    <>
      <p role="status">{t(STATES[job.state])}</p>
      {!isEnded && (
        <Progress value={value} animated={total === null} aria-label={t('job.progress')} />
      )}
      {job.error !== null && <p className={classes.problem}>{told(job.error)}</p>}
      <p className={classes.line}>{isEnded ? '' : t('job.text')}</p>
      <Button
        variant="default"
        renderRoot={(props) =>
          job.state === 'failed' ? (
            <Link to="/$workspace/settings/plans/review" params={{ workspace }} {...props} />
          ) : (
            <Link to="/$workspace/settings/model" params={{ workspace }} {...props} />
          )
        }
      >
        {job.state === 'failed' ? t('job.toReview') : t('model.title')}
      </Button>
    </>
  );
}

/** Changes that are in force are no draft any longer; those that were made meanwhile stay. */
function useEndOfDraft({ state }: JobDetails): void {
  const { workspace } = useSession();
  const queries = useQueryClient();
  const { edits, replace } = useDefinition();
  const count = edits.length;
  useEffect(() => {
    if (state !== 'done') return;
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === workspace && queryKey[1] !== 'job',
    });
  }, [state, queries, workspace]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each number of changes that are left.
  useEffect(() => {
    if (state !== 'done') return;
    if (count === 0) dropDraft(workspace);
    else replace(edits);
  }, [state, count]);
}
