// The rows that an import refused, of one of its files at a time: their problems, the rows as a table that is corrected and
// imported again, and all of them as a file.

import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { JobDetails } from '@workspace-records/client';
import { useState } from 'react';
import { ProblemRows } from '../../editing/problem-rows.tsx';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import {
  correctedFile,
  endingOf,
  type Rejects,
  readRejects,
  withCell,
} from '../../lib/reject-rows.ts';
import { saveFile } from '../../lib/save-file.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { Filters } from '../../ui/filters.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProblemGroups } from '../../ui/problem-groups.tsx';
import { Section } from '../../ui/section.tsx';
import { useFieldNames } from './field-names.ts';
import { type FileWithRejects, filesWithRejects } from './job-words.ts';

/** The most problems that the job stores; the file of rejected rows has all of them. */
const SHOWN = 100;

export function ImportProblems({ job }: { readonly job: JobDetails }) {
  const { file: wanted } = useSearch({ from: '/$workspace/shell/jobs/$id' });
  const files = filesWithRejects(job);
  const file = files.find(({ number }) => String(number) === wanted) ?? files[0];
  return file === undefined ? null : <Problems {...{ job, files, file }} />;
}

interface ProblemsProps {
  readonly job: JobDetails;
  /** The files that have rejected rows. */
  readonly files: readonly FileWithRejects[];
  /** The one that is shown. */
  readonly file: FileWithRejects;
}

function Problems({ job, files, file }: ProblemsProps) {
  const t = useT();
  const { me } = useSession();
  const nameOf = useFieldNames(file.type);
  const isOwn = job.asked_by_user_id === me.user.id;
  const { data, error } = useRejects(job, file, isOwn);
  // JSON lines have no cells that could be corrected here.
  const isMended = isOwn && data?.headings.length !== 0;
  const groups = job.problem_groups.filter((group) => (group.file ?? 1) === file.number);
  if (nameOf === undefined) return null;
  return (
    <Section title={t('import.problems')} text={isMended ? t('import.mendText') : undefined}>
      {files.length > 1 && <FileLinks {...{ job, files, file }} />}
      <ProblemGroups groups={groups} nameOf={nameOf} />
      {error !== null && <Problem error={error} />}
      {data !== undefined && data.headings.length > 0 ? (
        <Mending key={`${job.id} ${file.number}`} {...{ job, file, nameOf }} rejects={data} />
      ) : (
        (data !== undefined || error !== null) && <RejectFile {...{ job, file }} />
      )}
    </Section>
  );
}

function useRejects(job: JobDetails, file: FileWithRejects, enabled: boolean) {
  const session = useSession();
  return useQuery({
    queryKey: [session.workspace, 'job', job.id, 'rejects', file.number],
    queryFn: () => readRejects(session.client, job, file, SHOWN),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled,
  });
}

function FileLinks({ job: { id }, files, file }: ProblemsProps) {
  const t = useT();
  const { number } = useFormats();
  const { workspace } = useSession();
  return (
    <Filters label={t('import.files')}>
      {files.map((one) => (
        <Link
          key={one.number}
          to="/$workspace/jobs/$id"
          params={{ workspace, id }}
          search={{ file: String(one.number) }}
          aria-current={one === file ? 'page' : undefined}
        >
          {one.name} · {t('jobs.rejected', { count: number(one.rejected) })}
        </Link>
      ))}
    </Filters>
  );
}

interface MendingProps {
  readonly job: JobDetails;
  readonly file: FileWithRejects;
  /** The name of a field. */
  readonly nameOf: (key: string) => string;
  readonly rejects: Rejects;
}

function Mending({ job, file, nameOf: named, rejects }: MendingProps) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const [rows, setRows] = useState(rejects);
  const { mutate, isPending, error } = useImportAgain(job, file);
  const again = () =>
    mutate(rows, {
      onSuccess: (id) => void navigate({ to: '/$workspace/jobs/$id', params: { workspace, id } }),
    });
  // A dry run is changed and repeated on the page of the import.
  const mayRepeat = job.about.dry_run !== true && file.mapping !== undefined;
  return (
    <>
      <ProblemRows
        rejects={rows}
        fileName={file.name}
        nameOf={named}
        {...(mayRepeat
          ? { onEdit: (...edit) => setRows((before) => withCell(before, ...edit)) }
          : {})}
      />
      {error !== null && <Problem error={error} />}
      <Group gap="sm" mt="md">
        {mayRepeat && (
          <Button loading={isPending} onClick={again}>
            {t('import.again', { count: rows.rows.length })}
          </Button>
        )}
        <RejectFile {...{ job, file }} />
      </Group>
    </>
  );
}

function useImportAgain(job: JobDetails, { name, mapping }: FileWithRejects) {
  const session = useSession();
  return useMutation({
    async mutationFn(rows: Rejects) {
      const { client } = session;
      const file = await client.files.send(correctedFile(rows), {
        name: name.replace(/(?:\.\w+)?$/, '.csv'),
      });
      // The file that is sent has commas.
      const { delimiter: _, encoding: _encoding, skip_lines: _lines, ...columns } = mapping ?? {};
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

function RejectFile({ job, file }: Pick<MendingProps, 'job' | 'file'>) {
  const t = useT();
  const session = useSession();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadRejects(session, job, file),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('import.downloadRejects', { count: file.rejected })}
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  );
}

async function downloadRejects(
  { client }: Session,
  { id }: JobDetails,
  { name, number }: FileWithRejects,
): Promise<void> {
  const response = await client.imports.rejects(id, { file: number });
  const saved = `${name.replace(/\.\w+$/, '')}-rejects${endingOf(response)}`;
  saveFile(saved, await response.blob());
}
