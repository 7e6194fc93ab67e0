// Starts an export: a small file comes at once, of a large one the page of its job is shown.

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ExportBody, exportNow } from '../../lib/exports.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { showToast } from '../../ui/toast.ts';

export function useExport(onEnd?: () => void) {
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: ExportBody) => exportNow(session, body),
    onSuccess(job) {
      onEnd?.();
      if (job.state === 'done') {
        return showToast({ text: t('export.done', { count: job.progress?.done ?? 0 }) });
      }
      const params = { workspace: session.workspace, id: job.id };
      void navigate({ to: '/$workspace/jobs/$id', params });
    },
  });
}
