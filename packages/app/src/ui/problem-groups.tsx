// The problems of an import that many rows share, the most frequent first.

import { Text } from '@mantine/core';
import type { JobDetails } from '@workspace-records/client';
import { told, useT } from '../lib/messages/index.ts';
import classes from './problem-groups.module.css';

interface ProblemGroupsProps {
  readonly groups: JobDetails['problem_groups'];
  /** The name of a field. */
  readonly nameOf: (key: string) => string;
}

export function ProblemGroups({ groups, nameOf }: ProblemGroupsProps) {
  const t = useT();
  if (groups.length === 0) return null;
  return (
    <ul className={classes.groups}>
      {groups.map(({ file = 1, field, reason, rows, example }) => (
        <li key={`${file} ${field} ${reason}`}>
          <span className={classes.count}>{t('import.rows', { count: rows })}</span>
          <span>
            {field !== '' && <strong>{nameOf(field)}: </strong>}
            {told(reason)}
            {example !== undefined && example !== '' && (
              <Text span c="dimmed">
                {' '}
                {t('import.suchAs', { example })}
              </Text>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
