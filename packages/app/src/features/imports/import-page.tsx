// The import of a file into an object: the file, its columns, a check, and then the page of the job. The step is in the
// address; file and plan stay in the browser until the import begins.

import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery, useObject } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { isUndecided } from './import-draft.ts';
import classes from './imports.module.css';
import { type Plan, useImport } from './use-import.ts';

const STEPS = ['file', 'columns', 'check'] as const;
export type Step = (typeof STEPS)[number];

const STEP_NAMES = {
  file: 'import.stepFile',
  columns: 'import.stepColumns',
  check: 'import.stepCheck',
} as const;

export default function ImportPage() {
  const t = useT();
  const { type } = useParams({ from: '/$workspace/shell/import/$type' });
  const { data: access } = useSuspenseQuery(accessQuery(useSession()));
  if (access.administrator.allowed) return <Import key={type} type={type} />;
  return (
    <Page title={t('import.title')}>
      <EmptyState title={t('import.notAllowed')} text={t('import.notAllowedText')} />
    </Page>
  );
}

function Import({ type }: { readonly type: string }) {
  const t = useT();
  const { workspace } = useSession();
  const object = useObject(type);
  const state = useImport(object);
  const navigate = useNavigate();
  const search = useSearch({ from: '/$workspace/shell/import/$type' });
  const { target, chosen, plan } = state;
  const wanted = STEPS.find((one) => one === search.step) ?? 'file';
  const step = chosen === undefined || plan === undefined ? 'file' : openStep(wanted, plan);
  const name = object.name ?? type;
  const params = { workspace, type };
  const open = (next: Step) =>
    void navigate({
      to: '/$workspace/import/$type',
      params,
      search: next === 'file' ? {} : { step: next },
    });
  return (
    <Page
      title={t('import.into', { name })}
      width="broad"
      actions={
        <Link to="/$workspace/o/$type" params={params} className={classes.leave}>
          {t('import.toList', { name })}
        </Link>
      }
    >
      <Steps step={step} isOpen={chosen !== undefined} params={params} />
      {step === 'file' && <FileStep state={state} object={object} onNext={() => open('columns')} />}
      {step === 'columns' && chosen !== undefined && plan !== undefined && (
        <ColumnsStep {...{ object, state, chosen, plan }} onOpen={open} />
      )}
      {step === 'check' && chosen !== undefined && plan !== undefined && (
        <CheckStep {...{ target, state, chosen, plan }} onOpen={open} />
      )}
    </Page>
  );
}

/** Columns with two readings are not checked. */
function openStep(wanted: Step, { draft }: Plan): Step {
  return wanted === 'check' && draft.columns.some(isUndecided) ? 'columns' : wanted;
}

interface StepsProps {
  readonly step: Step;
  /** A file has been chosen, so that the other steps are there. */
  readonly isOpen: boolean;
  readonly params: { readonly workspace: string; readonly type: string };
}

function Steps({ step, isOpen, params }: StepsProps) {
  const t = useT();
  return (
    <nav aria-label={t('import.steps')}>
      <ol className={classes.steps}>
        {STEPS.map((one, index) => (
          <li key={one} aria-current={one === step ? 'step' : undefined}>
            <span className={classes.number}>{index + 1}</span>
            {isOpen && one !== step ? (
              <Link
                to="/$workspace/import/$type"
                params={params}
                search={one === 'file' ? {} : { step: one }}
              >
                {t(STEP_NAMES[one])}
              </Link>
            ) : (
              t(STEP_NAMES[one])
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
