// The obstacles of a change, with the first records that do not fit and the form that does.

import '../lib/plan-texts.ts';
import { Link } from '@tanstack/react-router';
import type { FieldType } from '@workspace-records/client';
import { kindOf } from '../fields/kinds.ts';
import type { PlanProblem } from '../lib/definition/plan.ts';
import { messageText, useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import classes from './plan-problems.module.css';

interface PlanProblemsProps {
  readonly problems: readonly PlanProblem[];
  /** The new type of the field at the path; undefined: it keeps its type. */
  readonly newType: (path: string) => FieldType | undefined;
  /** The entry of a path, where it is not that of the change. */
  readonly placeOf?: (path: string) => string | undefined;
}

export function PlanProblems({ problems, newType, placeOf }: PlanProblemsProps) {
  return problems.map((problem) => (
    <div key={`${problem.path} ${problem.message}`} className={classes.problem}>
      {problem.records === undefined ? (
        <p>{[placeOf?.(problem.path), messageText(problem)].filter(Boolean).join(': ')}</p>
      ) : (
        <Misfits problem={problem} type={newType(problem.path)} />
      )}
    </div>
  ));
}

interface MisfitsProps {
  readonly problem: PlanProblem;
  readonly type: FieldType | undefined;
}

/** The most records that the service lists. */
const MOST_LISTED = 20;

function Misfits({ problem, type }: MisfitsProps) {
  const t = useT();
  const { path, records = [] } = problem;
  const { workspace } = useSession();
  const object = /^objects\.([^.]+)/.exec(path)?.[1] ?? '';
  const kind = type === undefined ? undefined : kindOf({ type });
  const form = kind?.misfit;
  const params = { workspace, type: object };
  return (
    <>
      <p>{kind === undefined ? messageText(problem) : t('misfit.text', { type: t(kind.name) })}</p>
      <ul className={classes.records} aria-label={t('plan.records')}>
        {records.map(({ id, value }) => (
          <li key={id}>
            <Link to="/$workspace/o/$type/$id" params={{ ...params, id }}>
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </Link>
          </li>
        ))}
      </ul>
      {records.length === MOST_LISTED && (
        <p className={classes.form}>{t('misfit.first', { count: MOST_LISTED })}</p>
      )}
      {form !== undefined && <p className={classes.form}>{t(form)}</p>}
      <p>
        <Link
          to="/$workspace/o/$type"
          params={params}
          search={{ 'filter[id][in]': records.map(({ id }) => id).join(',') }}
        >
          {t('misfit.edit')}
        </Link>
      </p>
      {form !== undefined && <p className={classes.form}>{t('misfit.import')}</p>}
    </>
  );
}
