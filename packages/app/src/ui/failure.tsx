// A part of a page that could not be read, and a way to read it again; it also tries by itself when the service is back
// (lib/return.ts).

import { Button, Stack } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { Problem } from './problem.tsx';

interface FailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  const t = useT();
  return (
    <Stack align="flex-start" gap="sm" p="md">
      <Problem error={error} />
      <Button variant="default" onClick={onRetry}>
        {t('broken.again')}
      </Button>
    </Stack>
  );
}
