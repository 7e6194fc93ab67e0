// The file of an export, which only the person who started it gets; that of the workspace is for all administrators.

import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JobDetails } from '@workspace-records/client';
import { downloadExport } from '../../lib/exports.ts';
import { bytesText, useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import { objectTypeOf } from './job-words.ts';

export function ExportResult({ job }: { readonly job: JobDetails }) {
  const t = useT();
  const session = useSession();
  const { number } = useFormats();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadExport(session, job, objectTypeOf(job) ?? session.workspace),
  });
  const isArchive = job.kind === 'workspace_export';
  const isOffered = isArchive || job.asked_by_user_id === session.me.user.id;
  const { bytes = 0, records = job.progress?.done ?? 0 } = job.counts;
  return (
    <div>
      <Group component="p" gap="0.25rem 1rem" c="dimmed" m={0}>
        <span>{t('jobs.exported', { count: records })}</span>
        <span>{bytesText(bytes, number)}</span>
        <span>
          {isArchive ? t('jobs.keptArchive') : t(isOffered ? 'jobs.kept' : 'jobs.notYours')}
        </span>
      </Group>
      {error !== null && <Problem error={error} />}
      {isOffered && (
        <Group gap="sm" mt="md">
          <Button
            leftSection={<Icon name="download" size={14} />}
            loading={isPending}
            onClick={() => mutate()}
          >
            {t('jobs.download')}
          </Button>
        </Group>
      )}
    </div>
  );
}
