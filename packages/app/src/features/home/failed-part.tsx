// A part of the first page that could not be read: the failure, and a button to repeat the request.

import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useT } from '../../lib/messages/index.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './home-page.module.css';

interface FailedPartProps {
  readonly title: string;
  readonly queries: readonly Pick<
    UseQueryResult,
    'error' | 'isLoadingError' | 'isFetching' | 'refetch'
  >[];
}

/** Renders nothing where each of them has data, old or new. */
export function FailedPart({ title, queries }: FailedPartProps) {
  const t = useT();
  const failed = queries.filter(({ isLoadingError }) => isLoadingError);
  const [first] = failed;
  if (first === undefined) return null;
  const again = () => {
    for (const { refetch } of failed) void refetch();
  };
  return (
    <section className={classes.failed} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <Problem error={first.error} />
      <Button variant="default" loading={first.isFetching} onClick={again}>
        {t('broken.again')}
      </Button>
    </section>
  );
}
