// The moves of a workflow as a table: a row for each status, a box for each status it can move to.

import { useT } from '../../lib/messages/index.ts';
import { statusTint } from '../../lib/tints.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './moves-table.module.css';
import { useChangeWorkflow, type WorkflowProps } from './use-change-workflow.ts';
import { gateOf, hasMove, statusesOf, withMove } from './workflow-edits.ts';
import type { StatusProblem } from './workflow-problems.ts';
import { PROBLEM_WORDS } from './workflow-words.ts';

interface MovesTableProps extends WorkflowProps {
  readonly problems: ReadonlyMap<string, StatusProblem>;
  readonly onChoose: (status: string) => void;
}

export function MovesTable(props: MovesTableProps) {
  const { workflow } = props;
  const t = useT();
  const order = statusesOf(workflow);
  return (
    <div className={classes.place}>
      <table className={classes.table} aria-label={t('workflow.moves')}>
        <thead>
          <tr>
            <th scope="col">{t('workflow.from')}</th>
            {order.map((key) => (
              <th key={key} scope="col" className={classes.to}>
                {workflow.statuses[key]?.name ?? key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((key, at) => (
            <FromRow key={key} {...props} from={key} at={at} order={order} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FromRowProps extends MovesTableProps {
  readonly from: string;
  readonly at: number;
  readonly order: readonly string[];
}

function FromRow({ id, workflow, problems, onChoose, from, at, order }: FromRowProps) {
  const t = useT();
  const changeWorkflow = useChangeWorkflow(id);
  const nameOf = (key: string) => workflow.statuses[key]?.name ?? key;
  const problem = problems.get(from);
  return (
    <tr>
      <th scope="row">
        <span className={classes.status}>
          <span
            className={classes.dot}
            data-tint={statusTint(workflow.statuses[from]?.color, at)}
            aria-hidden="true"
          />
          <button type="button" className={classes.name} onClick={() => onChoose(from)}>
            {nameOf(from)}
          </button>
          {workflow.initial === from && (
            <span className={classes.note}>{t('workflow.initial')}</span>
          )}
          {problem !== undefined && (
            <span className={classes.problem}>{t(PROBLEM_WORDS[problem])}</span>
          )}
        </span>
      </th>
      {order.map((to) => (
        <td key={to} className={classes.to}>
          {to !== from && (
            <span className={classes.box}>
              <input
                type="checkbox"
                aria-label={t('workflow.move', { from: nameOf(from), to: nameOf(to) })}
                checked={hasMove(workflow, from, to)}
                onChange={({ currentTarget: { checked } }) =>
                  changeWorkflow((now) => withMove(now, from, to, checked))
                }
              />
              {gateOf(workflow, from, to) !== undefined && <Icon name="lock" size={12} />}
            </span>
          )}
        </td>
      ))}
    </tr>
  );
}
