// Values of a file that were not found or do not fit, and without which an import writes their rows.

import '../lib/import-notice-texts.ts';
import { Alert, Text } from '@mantine/core';
import type { JobDetails } from '@workspace-records/client';
import { useT } from '../lib/messages/index.ts';
import { Icon } from './icon.tsx';

interface EmptiedValuesProps {
  readonly all: JobDetails['emptied_values'];
  /** The name of a field. */
  readonly nameOf: (key: string) => string;
}

export function EmptiedValues({ all, nameOf }: EmptiedValuesProps) {
  const t = useT();
  if (all.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
      {all.map(({ file, field, values: count, names }) => (
        <Text key={`${file} ${field}`}>
          {t('import.emptied', { count, field: nameOf(field), names: names.join(', ') })}
        </Text>
      ))}
    </Alert>
  );
}
