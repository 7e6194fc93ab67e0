// A page that has failed. It stands where the page would, so that everything around it goes on working.

import { Button } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useParams, useRouter } from '@tanstack/react-router';
import { isRecordsError } from '@workspace-records/client';
import { useEffect } from 'react';
import { useT } from '../lib/messages/index.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { GoneRecord } from '../ui/gone-record.tsx';
import { Page } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';

const GONE: ReadonlySet<string> = new Set(['record_not_found', 'object_not_available']);

export function Broken({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const { type } = useParams({ strict: false });
  const { reset: forgetErrors } = useQueryErrorResetBoundary();
  // What has failed is asked for again by the next page that wants it, instead of failing from memory.
  useEffect(forgetErrors, [forgetErrors]);
  if (isRecordsError(error, 'record_not_found') && type !== undefined) {
    return <GoneRecord type={type} />;
  }
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
