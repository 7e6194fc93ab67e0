// The state of a job: its word, with a dot in a colour that says the same.

import type { JobSummary } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { STATES } from './job-words.ts';
import classes from './jobs.module.css';

export function StateMark({ state }: Pick<JobSummary, 'state'>) {
  const t = useT();
  const { label, tone } = STATES[state];
  return (
    <span className={classes.state} data-tone={tone}>
      {t(label)}
    </span>
  );
}
