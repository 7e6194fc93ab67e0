// The plan of the collected changes: what each does, what does not fit, what is lost; applied at once or dropped.

import '../../lib/plan-texts.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DefinitionPlan } from '@workspace-records/client';
import { changesOf } from '../../lib/definition/changes.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { conflictsOf } from '../../lib/definition/edits.ts';
import { planQuery } from '../../lib/definition/plan.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { ModelButton } from '../../ui/model-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';
import { isStale } from './api.ts';
import { ApplyForm } from './apply-form.tsx';
import { Conflicts } from './conflicts.tsx';
import { PlanView } from './plan-view.tsx';
import classes from './plans.module.css';
import { type Applying, useApply } from './use-apply.ts';
import { useReread } from './use-reread.ts';

export default function ReviewPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('plan.title')}>
      <Review />
    </ForAdministrators>
  );
}

function Review() {
  const t = useT();
  const { edits } = useDefinition();
  return (
    <SettingsFrame title={t('plan.title')} width="broad">
      {edits.length === 0 ? (
        <EmptyState title={t('plan.none')} text={t('plan.noneText')} action={<ModelButton />} />
      ) : (
        <Plan />
      )}
    </SettingsFrame>
  );
}

function Plan() {
  const session = useSession();
  const { present, edits } = useDefinition();
  const applying = useApply();
  const { data: plan, error } = useQuery(planQuery(session, present, edits));
  useReread(plan?.revision);
  if (error !== null) return <Problem error={error} />;
  return (
    <>
      <Notice applying={applying} />
      {plan === undefined ? <Waiting /> : <Planned plan={plan} applying={applying} />}
    </>
  );
}

interface NoticeProps {
  readonly applying: Applying;
}

/** A refusal that a new plan follows. */
function Notice({ applying: { error } }: NoticeProps) {
  const t = useT();
  if (error === null) return null;
  if (!isStale(error)) return <Problem error={error} />;
  return (
    <p className={classes.notice} role="alert">
      {t('plan.stale')}
    </p>
  );
}

function Waiting() {
  const t = useT();
  return (
    <div role="status" aria-label={t('plan.waiting')} className={classes.waiting}>
      <Skeleton height={20} width="40%" />
      <Skeleton height={72} />
      <Skeleton height={72} />
    </div>
  );
}

interface PlannedProps extends NoticeProps {
  readonly plan: DefinitionPlan;
}

function Planned({ plan, applying: { mutate, isPending } }: PlannedProps) {
  const t = useT();
  const { present, edits, replace } = useDefinition();
  const conflicts = conflictsOf(present.document, edits);
  const count = changesOf(edits).length;
  const drop = () => {
    replace([]);
    showToast({ text: t('draft.dropped', { count }), undo: () => replace(edits) });
  };
  return (
    <>
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      <PlanView plan={plan} />
      <ApplyForm
        key={plan.plan_id}
        plan={plan}
        isBlocked={conflicts.length > 0}
        isPending={isPending}
        onApply={(allow) => mutate({ plan, present, edits, allow })}
        onDrop={drop}
      />
    </>
  );
}
