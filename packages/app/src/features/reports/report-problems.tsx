// The parts of a report that cannot be asked for, and a copy without them where the person may not know them.

import { Alert, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { useReportWrites } from './api.ts';

export function ReportProblems({ view }: { readonly view: View }) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const { copy } = useReportWrites();
  if (view.problems.length === 0) return null;
  const open = ({ id }: View) =>
    void navigate({ to: '/$workspace/reports/$id', params: { workspace, id } });
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="status">
      {view.hidden ? t('reports.hidden') : t('reports.problems')}
      <ul>
        {view.problems.map(({ param, message }) => (
          <li key={`${param} ${message}`}>{message}</li>
        ))}
      </ul>
      {view.hidden && (
        <Button
          variant="default"
          loading={copy.isPending}
          onClick={() => copy.mutate(view, { onSuccess: open })}
        >
          {t('views.copy')}
        </Button>
      )}
    </Alert>
  );
}
