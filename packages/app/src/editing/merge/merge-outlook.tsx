// The consequences of a merge as its dry run has them: what goes over, what becomes of the others, and why it is refused.

import { Alert } from '@mantine/core';
import {
  isRecordsError,
  type MergeRehearsal,
  type ObjectDefinition,
} from '@workspace-records/client';
import { messageText, useT } from '../../lib/messages/index.ts';
import { countedName, useObjects } from '../../lib/schema-queries.ts';
import { daysKept } from '../../lib/trash.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './merge-dialog.module.css';

interface MergeOutlookProps {
  readonly object: ObjectDefinition;
  readonly rehearsal: {
    readonly data: MergeRehearsal | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
  };
}

export function MergeOutlook({
  object,
  rehearsal: { data, error, isFetching },
}: MergeOutlookProps) {
  const t = useT();
  const objects = useObjects();
  const days = daysKept(object);
  if (error !== null) return <Refusal object={object} error={error} />;
  const parts = Object.entries(data?.references ?? {}).map(([type, count]) => {
    const other = objects.find(({ object_type }) => object_type === type);
    return `${count} ${other === undefined ? type : countedName(other, count)}`;
  });
  return (
    <div role="status" aria-busy={isFetching} className={classes.outlook}>
      {data === undefined && <p>{t('merge.checking')}</p>}
      {parts.length > 0 && <p>{t('merge.references', { parts: parts.join(', ') })}</p>}
      <p>{t('merge.goesOver')}</p>
      <p>{days === undefined ? t('merge.final') : t('merge.kept', { count: days })}</p>
    </div>
  );
}

/** Each refused field with its reason, where the service names them. */
function Refusal({ object, error }: Pick<MergeOutlookProps, 'object'> & { readonly error: Error }) {
  const t = useT();
  const problems = isRecordsError(error) ? (error.details?.errors ?? []) : [];
  if (problems.length === 0) return <Problem error={error} />;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
      {t('merge.refused')}
      <ul className={classes.problems}>
        {problems.map((problem) => {
          const key = problem.param?.split('.').at(-1);
          const field = object.fields.find((one) => one.key === key);
          const text = messageText(problem);
          const name = field === undefined ? '' : `${field.name ?? field.key}: `;
          return <li key={`${problem.param} ${text}`}>{name + text}</li>;
        })}
      </ul>
    </Alert>
  );
}
