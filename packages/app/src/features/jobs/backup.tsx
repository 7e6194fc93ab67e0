// A backup of the workspace, for administrators. The job has a page with its progress and its file.

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { exportWorkspace } from '../../lib/exports.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { useIsAdministrator } from '../../lib/use-administrator.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';

export function Backup() {
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  const { workspace } = session;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => exportWorkspace(session),
    onSuccess: ({ id }) => navigate({ to: '/$workspace/jobs/$id', params: { workspace, id } }),
  });
  if (!useIsAdministrator()) return null;
  return (
    <Section title={t('backup.title')} text={t('backup.text')}>
      {error !== null && <Problem error={error} />}
      <Button
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('backup.submit')}
      </Button>
    </Section>
  );
}
