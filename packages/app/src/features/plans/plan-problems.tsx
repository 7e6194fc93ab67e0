// The obstacles of a change, with the first records that do not fit.

import { Link } from '@tanstack/react-router';
import { told, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import type { PlanProblem } from './plan-words.ts';
import classes from './plans.module.css';

export function PlanProblems({ problems }: { readonly problems: readonly PlanProblem[] }) {
  return problems.map((problem) => (
    <div key={`${problem.path} ${problem.message}`} className={classes.problem}>
      <p>{told(problem.message)}</p>
      {problem.records !== undefined && <Records problem={problem} />}
    </div>
  ));
}

function Records({ problem: { path, records = [] } }: { readonly problem: PlanProblem }) {
  const t = useT();
  const { workspace } = useSession();
  const type = /^objects\.([^.]+)/.exec(path)?.[1] ?? '';
  return (
    <ul className={classes.records} aria-label={t('plan.records')}>
      {records.map(({ id, value }) => (
        <li key={id}>
          <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
