// A part of a page that could not be read, and a way to read it again; it also tries by itself when the service is back
// (lib/return.ts).

import { Button } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import classes from './failure.module.css';
import { Problem } from './problem.tsx';

interface FailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  const t = useT();
  return (
    <div className={classes.failure}>
      <Problem error={error} />
      <Button variant="default" onClick={onRetry}>
        {t('broken.again')}
      </Button>
    </div>
  );
}
