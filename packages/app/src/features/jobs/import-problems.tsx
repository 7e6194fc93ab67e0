// The rows that an import refused: their problems, the rows as a table that is corrected and imported again, and all of
// them as a file.

import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JobDetails } from '@workspace-records/client';
import { useState } from 'react';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { ProblemRows } from '../../editing/problem-rows.tsx';
import { useT } from '../../lib/messages/index.ts';
import {
  correctedFile,
  type Mapping,
  type Rejects,
  readRejects,
  withCell,
} from '../../lib/reject-rows.ts';
import { saveFile } from '../../lib/save-file.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProblemGroups } from '../../ui/problem-groups.tsx';
import { Section } from '../../ui/section.tsx';
import { objectTypeOf } from './job-words.ts';
import classes from './jobs.module.css';

/** As many as the job has problems of; all rows are in the file. */
const SHOWN = 100;

export function ImportProblems({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const session = useSession();
  const type = objectTypeOf(job);
  const { data: names, isPending } = useQuery({
    ...objectQuery(session, type ?? ''),
    select: ({ fields }) => new Map(fields.map((field) => [field.key, nameOf(field)])),
  });
  const named = (key: string) => names?.get(key) ?? key;
  const isOwn = job.asked_by_user_id === session.me.user.id;
  const isOne = job.files.length === 1;
  // Keys in place of names would be seen for a moment.
  if (isPending) return null;
  return (
    <Section title={t('import.problems')} text={isOwn && isOne ? t('import.mendText') : undefined}>
      <ProblemGroups groups={job.problem_groups} nameOf={named} />
      {isOwn && isOne && <Rows job={job} mapping={job.files[0]?.mapping} nameOf={named} />}
    </Section>
  );
}

interface RowsProps {
  readonly job: JobDetails;
  readonly mapping: Mapping | undefined;
  /** The name of a field. */
  readonly nameOf: (key: string) => string;
}

function Rows(props: RowsProps) {
  const { job, mapping } = props;
  const session = useSession();
  const { data, error } = useQuery({
    queryKey: [session.workspace, 'job', job.id, 'rejects'],
    queryFn: () => readRejects(session.client, job, mapping, SHOWN),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error !== null) return <Problem error={error} />;
  return data === undefined ? null : <Mending {...props} rejects={data} />;
}

function Mending({
  job,
  mapping,
  nameOf: named,
  rejects,
}: RowsProps & { readonly rejects: Rejects }) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const [rows, setRows] = useState(rejects);
  const { mutate, isPending, error } = useImportAgain(job, mapping);
  const again = () =>
    mutate(rows, {
      onSuccess: (id) => void navigate({ to: '/$workspace/jobs/$id', params: { workspace, id } }),
    });
  // A dry run is changed and repeated on the page of the import.
  const mayRepeat = job.about.dry_run !== true && mapping !== undefined;
  return (
    <>
      <ProblemRows
        rejects={rows}
        nameOf={named}
        {...(mayRepeat
          ? { onEdit: (...edit) => setRows((before) => withCell(before, ...edit)) }
          : {})}
      />
      {error !== null && <Problem error={error} />}
      <div className={classes.buttons}>
        {mayRepeat && (
          <Button loading={isPending} onClick={again}>
            {t('import.again', { count: rows.rows.length })}
          </Button>
        )}
        <RejectFile job={job} />
      </div>
    </>
  );
}

function useImportAgain(job: JobDetails, mapping: Mapping | undefined) {
  const session = useSession();
  return useMutation({
    async mutationFn(rows: Rejects) {
      const { client } = session;
      const name = String(job.about.file_name ?? 'rows.csv');
      const file = await client.files.send(correctedFile(rows), { name });
      // The file that is sent has commas.
      const { delimiter: _, ...columns } = mapping ?? {};
      const { only_new = false, no_status = false } = job.about as Flags;
      const body = { file_id: file.id, mapping: columns, only_new, no_status, raw: true };
      return (await client.imports.start(body)).id;
    },
  });
}

interface Flags {
  readonly only_new?: boolean;
  readonly no_status?: boolean;
}

function RejectFile({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const session = useSession();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadRejects(session, job),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('import.downloadRejects', { count: job.counts.rejected ?? 0 })}
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  );
}

async function downloadRejects({ client }: Session, job: JobDetails): Promise<void> {
  const response = await client.imports.rejects(job.id);
  const name = String(job.about.file_name ?? 'rows.csv').replace(/\.\w+$/, '');
  saveFile(`${name}-rejects.csv`, await response.blob());
}
