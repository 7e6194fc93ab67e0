// A page that has failed. It takes the place of the page, so that everything around it still works.

import { Button } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useParams, useRouter } from '@tanstack/react-router';
import { isRecordsError } from '@workspace-records/client';
import { useEffect, useEffectEvent } from 'react';
import { useT } from '../lib/messages/index.ts';
import { followReturn, isUnreachable } from '../lib/return.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { GoneRecord } from '../ui/gone-record.tsx';
import { HomeButton } from '../ui/home-button.tsx';
import { Page } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';

const GONE: ReadonlySet<string> = new Set(['record_not_found', 'object_not_available']);

export function Broken({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const { type } = useParams({ strict: false });
  const { reset: forgetErrors } = useQueryErrorResetBoundary();
  // The next page that needs failed data requests it again, instead of failing from the cache.
  useEffect(forgetErrors, [forgetErrors]);
  const again = () => {
    reset();
    void router.invalidate();
  };
  useRetry(error, again);
  if (isRecordsError(error, 'record_not_found') && type !== undefined) {
    return <GoneRecord type={type} />;
  }
  if (isRecordsError(error) && GONE.has(error.code)) {
    return (
      <Page title={t('notFound.title')}>
        <EmptyState title={t('problem.gone')} action={<HomeButton />} />
      </Page>
    );
  }
  return (
    <Page title={t('broken.title')}>
      <Problem error={error} />
      <Button variant="default" mt="md" onClick={again}>
        {t('broken.again')}
      </Button>
    </Page>
  );
}

/** Milliseconds: where no signal reports that the service is back, such as before the first page. */
const AGAIN = 10_000;

/** Loads a page again that failed because the service was unavailable. */
function useRetry(error: unknown, again: () => void): void {
  const retry = useEffectEvent(again);
  const isWaiting = isUnreachable(error);
  useEffect(() => {
    if (!isWaiting) return;
    const unfollow = followReturn(() => retry());
    const timer = setInterval(() => retry(), AGAIN);
    return () => {
      unfollow();
      clearInterval(timer);
    };
  }, [isWaiting]);
}
