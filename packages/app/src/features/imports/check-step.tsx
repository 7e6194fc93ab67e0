// A dry run of the import: how many records it would make and change, and the first rows that it would refuse, with
// their wrong cells marked. Then the import itself.

import { Alert, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JobDetails } from '@workspace-records/client';
import { useEffect } from 'react';
import { ProblemRows } from '../../editing/problem-rows.tsx';
import { jobQuery } from '../../lib/jobs.ts';
import { told, useT } from '../../lib/messages/index.ts';
import { type Rejects, readRejects } from '../../lib/reject-rows.ts';
import { useSession } from '../../lib/session.ts';
import { EmptiedValues } from '../../ui/emptied-values.tsx';
import { FileNotices } from '../../ui/file-notices.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ImportCounts } from '../../ui/import-counts.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProblemGroups } from '../../ui/problem-groups.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Section } from '../../ui/section.tsx';
import { useStartImport } from './api.ts';
import { type Target, withColumn } from './import-draft.ts';
import { nameOf } from './import-fields.ts';
import type { Step } from './import-page.tsx';
import classes from './imports.module.css';
import { ChangedValues, Doubles, LeftOut, Unfit } from './left-out.tsx';
import { isOfRecords, type MappingDocument, mappingOf } from './mapping-document.ts';
import { MissingRecords } from './missing-records.tsx';
import { wordsWithoutOption } from './new-options.ts';
import { OptionsOffer } from './options-offer.tsx';
import { EmptyCells, OtherTypes } from './other-types.tsx';
import { saveMapping } from './saved-mappings.ts';
import type { Chosen, ImportState, Plan } from './use-import.ts';

/** The most rows that are shown. */
const SHOWN = 50;
/** Words that are shown. */
const NAMED = 3;

interface CheckStepProps {
  readonly target: Target;
  readonly state: ImportState;
  readonly chosen: Chosen;
  readonly plan: Plan;
  readonly onOpen: (step: Step) => void;
}

export function CheckStep(props: CheckStepProps) {
  const { job, error } = useCheck(props);
  const isEnded = job !== undefined && job.finished_at !== null;
  return (
    <Stack gap="lg">
      <FileNotices {...props.chosen} hasUneven={false} />
      {error !== null && <Problem error={error} />}
      {!isEnded && error === null && <Checking job={job} />}
      {isEnded && job.state === 'done' && <Checked {...props} job={job} />}
      {isEnded && job.state !== 'done' && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
          {told(job.error ?? job.state)}
        </Alert>
      )}
      <Buttons {...props} job={isEnded ? job : undefined} />
    </Stack>
  );
}

/** The dry run of this plan; another plan is checked again. */
function useCheck({ target, state, chosen, plan }: CheckStepProps) {
  const session = useSession();
  const { mutate, error, isPending } = useStartImport();
  const mapping = mappingOf(target, plan.draft, chosen.table);
  const of = JSON.stringify([mapping, plan.draft.onlyNew]);
  const jobId = plan.check?.of === of ? plan.check.jobId : undefined;
  const isNeeded = jobId === undefined && !isPending && error === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one dry run for each plan.
  useEffect(() => {
    if (!isNeeded) return;
    mutate(
      { ...requestOf(chosen, plan, mapping), isDryRun: true },
      {
        onSuccess: (started) =>
          state.keep({ fileId: started.fileId, check: { jobId: started.jobId, of } }),
      },
    );
  }, [isNeeded, of]);
  const { data: job, error: failure } = useQuery({
    ...jobQuery(session, jobId ?? ''),
    enabled: jobId !== undefined,
  });
  return { job: jobId === undefined ? undefined : job, error: error ?? failure };
}

function requestOf({ original, fileName }: Chosen, plan: Plan, mapping: MappingDocument) {
  const { draft, fileId } = plan;
  const content = new Blob([original], { type: 'text/csv' });
  return { content, fileName, fileId, mapping, onlyNew: draft.onlyNew };
}

function Checking({ job }: { readonly job: JobDetails | undefined }) {
  const t = useT();
  const { done = 0, total = null } = job?.progress ?? {};
  return (
    <Stack gap="sm" role="status">
      <span>{job === undefined ? t('import.sending') : t('import.checking', { count: done })}</span>
      <ProgressBar
        label={t('import.checkingLabel')}
        share={total === null || total === 0 ? undefined : done / total}
      />
    </Stack>
  );
}

type CheckedProps = Pick<CheckStepProps, 'target' | 'state' | 'plan' | 'chosen'> & {
  readonly job: JobDetails;
};

function Checked(props: CheckedProps) {
  const { target, job } = props;
  const t = useT();
  const { rejected = 0 } = job.counts;
  const fields = new Map(target.object.fields.map((field) => [field.key, nameOf(field)]));
  const nameOfKey = (key: string) => fields.get(key) ?? key;
  return (
    <>
      <ImportCounts counts={job.counts} isDryRun />
      <LeftOut {...props} />
      {isOfRecords(target) && <Unfit {...props} />}
      <Doubles {...props} />
      <EmptiedValues all={job.emptied_values} nameOf={nameOfKey} />
      <ChangedValues job={job} nameOf={nameOfKey} />
      {rejected === 0 ? (
        <Group component="p" wrap="nowrap" gap="sm" c="dimmed" m={0}>
          <Icon name="check" size={14} />
          {t('import.noProblems')}
        </Group>
      ) : (
        <Section title={t('import.problems')} text={t('import.problemsText')}>
          <ProblemGroups groups={job.problem_groups} nameOf={nameOfKey} />
          <FirstRows {...props} nameOf={nameOfKey} />
        </Section>
      )}
    </>
  );
}

interface FirstRowsProps extends CheckedProps {
  readonly nameOf: (key: string) => string;
}

function FirstRows({ nameOf: named, ...props }: FirstRowsProps) {
  const { job } = props;
  const session = useSession();
  const { data: rejects, error } = useQuery({
    queryKey: [session.workspace, 'job', job.id, 'rejects'],
    queryFn: () => readRejects(session.client, job, { number: 1, mapping: job.files[0]?.mapping }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <Problem error={error} />;
  if (rejects === undefined) return null;
  return (
    <>
      <MissingOptions {...props} rejects={rejects} />
      <MissingRecords {...props} rejects={rejects} />
      <EmptyCells {...props} rejects={rejects} />
      <OtherTypes {...props} rejects={rejects} />
      <ProblemRows
        rejects={{ ...rejects, rows: rejects.rows.slice(0, SHOWN) }}
        fileName={props.chosen.fileName}
        nameOf={named}
      />
    </>
  );
}

/** With a new option the plan is another one, and is checked again. */
function MissingOptions(props: CheckedProps & { readonly rejects: Rejects }) {
  const t = useT();
  const { target, state, plan, rejects } = props;
  const { draft } = plan;
  return wordsWithoutOption(target.object, draft, rejects).map((one) => (
    <Group key={one.plan.heading} gap="0.25rem 0.5rem" mb="sm">
      {t('import.wordsWithoutOption', {
        ...{ count: one.words.length, field: nameOf(one.field) },
        names: one.words.slice(0, NAMED).join(', '),
      })}
      <OptionsOffer
        {...{ target, ...one }}
        onChange={(next) => state.change(withColumn(target, draft, next))}
      />
    </Group>
  ));
}

function Buttons(props: CheckStepProps & { readonly job: JobDetails | undefined }) {
  const t = useT();
  const { target, state, chosen, plan, job, onOpen } = props;
  const { workspace, me } = useSession();
  const navigate = useNavigate();
  const { mutateAsync, error, isPending } = useStartImport();
  const { created = 0, updated = 0, unchanged = 0, skipped = 0 } = job?.counts ?? {};
  const count = created + updated + unchanged + skipped;
  const mapping = mappingOf(target, plan.draft, chosen.table);
  const start = () =>
    mutateAsync(
      { ...requestOf(chosen, plan, mapping), isDryRun: false },
      {
        onSuccess: ({ jobId: id }) =>
          void navigate({ to: '/$workspace/jobs/$id', params: { workspace, id } }),
      },
    ).then(
      // Also when the person has left the page: they do not import the file again.
      () => {
        const place = { workspace, userId: me.user.id, object: target.object };
        saveMapping(place, { name: '', draft: plan.draft });
        state.forget();
      },
      () => undefined,
    );
  return (
    <>
      {error !== null && <Problem error={error} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onOpen('columns')}>
          {t('import.back')}
        </Button>
        <Button
          disabled={job?.state !== 'done' || count === 0}
          loading={isPending}
          onClick={() => void start()}
        >
          {t('import.start', { count })}
        </Button>
      </div>
    </>
  );
}
