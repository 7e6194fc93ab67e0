// A page that has failed. It stands where the page would, so that everything around it goes on working.

import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isRecordsError } from '@workspace-records/client';
import { useT } from '../lib/messages/index.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';

const GONE: ReadonlySet<string> = new Set(['record_not_found', 'object_not_available']);

export function Broken({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  if (isRecordsError(error) && GONE.has(error.code)) {
    return (
      <Page title={t('notFound.title')}>
        <EmptyState title={t('problem.gone')} />
      </Page>
    );
  }
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title={t('broken.title')}>
      <Problem error={error} />
      <Button variant="default" mt="md" onClick={again}>
        {t('broken.again')}
      </Button>
    </Page>
  );
}
