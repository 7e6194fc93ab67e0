// The records that a bulk change has left as they are, with the reason for each.

import { Alert } from '@mantine/core';
import type { JobDetails, ObjectDefinition, RowProblem } from '@workspace-records/client';
import { told, useT } from '../../../lib/messages/index.ts';
import { useRecordName } from '../../../lib/record-names.ts';
import classes from '../bulk-dialog.module.css';
import { countsOf, fieldNameOf } from './selection.ts';

interface JobProblemsProps {
  readonly job: JobDetails;
  readonly object: ObjectDefinition;
}

export function JobProblems({ job, object }: JobProblemsProps) {
  const t = useT();
  const { problems, counts } = job;
  const { changed, refused } = countsOf(counts);
  if (refused === 0) return null;
  const unlistedCount = refused - problems.length;
  return (
    <Alert color="red" variant="light" role="alert" mt="lg">
      {t('grid.notDone', { count: refused, done: changed })}
      <ul className={classes.list}>
        {problems.map((problem) => (
          <ProblemItem key={problem.record_id} {...{ problem, object }} />
        ))}
        {unlistedCount > 0 && <li>{t('grid.others', { count: unlistedCount })}</li>}
      </ul>
    </Alert>
  );
}

interface ProblemItemProps extends Pick<JobProblemsProps, 'object'> {
  readonly problem: RowProblem;
}

function ProblemItem({ problem, object }: ProblemItemProps) {
  const t = useT();
  const { record_id = '', field, reason } = problem;
  const { name } = useRecordName(object.object_type, record_id);
  const about = fieldNameOf(object.fields, field);
  return (
    <li>
      {name ?? t('records.unnamed')}: {about === undefined ? '' : `${about}: `}
      {told(reason)}
    </li>
  );
}
