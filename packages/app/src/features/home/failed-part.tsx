// A part of the first page that could not be read: what has failed, and to ask for it again.

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

/** Nothing where each of them has something to show, old or new. */
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
