// A job: its state and progress while it works, and its result: counts, problems, rows to correct, a file.

import { Alert, Button, Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JobDetails } from '@workspace-records/client';
import { ErasureReport } from '../../editing/erasure/erasure-report.tsx';
import { useFormats } from '../../lib/format.ts';
import { jobQuery, useCancelJob } from '../../lib/jobs.ts';
import { told, useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { ImportCounts } from '../../ui/import-counts.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { BulkResult } from './bulk-result.tsx';
import { DuplicateGroups } from './duplicate-groups.tsx';
import { ExportResult } from './export-result.tsx';
import { ImportLeftOut } from './import-left-out.tsx';
import { ImportProblems } from './import-problems.tsx';
import { objectTypeOf, shareOf, titleOf } from './job-words.ts';
import classes from './jobs.module.css';
import { StateMark } from './state-mark.tsx';
import { useObjectName } from './use-object-name.ts';

export default function JobPage() {
  const t = useT();
  const { id } = useParams({ from: '/$workspace/shell/jobs/$id' });
  const session = useSession();
  const { workspace } = session;
  const { data: job } = useSuspenseQuery(jobQuery(session, id));
  const nameOf = useObjectName();
  const type = objectTypeOf(job);
  return (
    <Page
      title={titleOf(job, nameOf, t)}
      width="broad"
      beside={<StateMark state={job.state} />}
      actions={
        <>
          <Button
            variant="subtle"
            color="gray"
            renderRoot={(props) => <Link to="/$workspace/jobs" params={{ workspace }} {...props} />}
          >
            {t('jobs.toAll')}
          </Button>
          {type !== undefined && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/$workspace/o/$type" params={{ workspace, type }} {...props} />
              )}
            >
              {t('jobs.open', { name: nameOf(type) })}
            </Button>
          )}
        </>
      }
    >
      <Stack gap={20}>
        <Facts job={job} />
        {job.finished_at === null ? <Working job={job} /> : <Result job={job} />}
      </Stack>
    </Page>
  );
}

function Facts({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const { moment } = useFormats();
  const { me } = useSession();
  const { about, created_at, finished_at, asked_by_user_id } = job;
  return (
    <Group component="p" gap="0.25rem 1rem" c="dimmed" m={0}>
      {typeof about.file_name === 'string' && <span>{about.file_name}</span>}
      {asked_by_user_id !== null && asked_by_user_id !== me.user.id && <By id={asked_by_user_id} />}
      <span>{t('jobs.started', { moment: moment(created_at) })}</span>
      {finished_at !== null && <span>{t('jobs.ended', { moment: moment(finished_at) })}</span>}
    </Group>
  );
}

function By({ id }: { readonly id: number }) {
  const t = useT();
  return <span>{t('jobs.by', { name: usePersonName(id) })}</span>;
}

function Working({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const { mutate, isPending, error } = useCancelJob(job.id);
  const { done = 0, total = null } = job.progress ?? {};
  const said =
    total === null
      ? t('jobs.working', { count: done })
      : t('jobs.workingOf', { count: done, total });
  return (
    <Stack gap="sm">
      <span role="status">{job.state === 'queued' ? t('jobs.waiting') : said}</span>
      <ProgressBar label={t('jobs.progress')} share={shareOf(job)} />
      {error !== null && <Problem error={error} />}
      <Group gap="sm" mt="md">
        <Button
          variant="default"
          loading={isPending || job.cancel_requested}
          onClick={() => mutate()}
        >
          {t('jobs.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

function Result({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const { kind, state, notes, error, counts } = job;
  return (
    <>
      {state === 'failed' && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
          {told(error ?? t('jobs.failed'))}
        </Alert>
      )}
      {state === 'cancelled' && (
        <Group component="p" gap="0.25rem 1rem" c="dimmed" m={0}>
          {t('jobs.cancelledText')}
        </Group>
      )}
      {kind === 'import' && <ImportCounts counts={counts} isDryRun={job.about.dry_run === true} />}
      {kind === 'import' && <ImportLeftOut job={job} />}
      {kind === 'erasure' && <ErasureReport job={job} />}
      {kind !== 'erasure' && notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note) => (
            <li key={note}>{told(note)}</li>
          ))}
        </ul>
      )}
      {kind === 'import' && (counts.rejected ?? 0) > 0 && <ImportProblems job={job} />}
      {(kind === 'export' || kind === 'workspace_export') && state === 'done' && (
        <ExportResult job={job} />
      )}
      {kind === 'duplicates' && state === 'done' && <DuplicateGroups job={job} />}
      {kind === 'bulk' && <BulkResult job={job} />}
    </>
  );
}
