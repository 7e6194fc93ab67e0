// The plan of the collected changes: what each does, what does not fit, what is lost; applied at once or dropped.

import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { DefinitionPlan } from '@workspace-records/client';
import { useEffect } from 'react';
import { changesOf } from '../../lib/definition/changes.ts';
import { dropDraft, useDefinition } from '../../lib/definition/draft.ts';
import { conflictsOf } from '../../lib/definition/edits.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';
import { isStale, planQuery, useApply } from './api.ts';
import { ApplyForm } from './apply-form.tsx';
import { Conflicts } from './conflicts.tsx';
import { PlanView } from './plan-view.tsx';
import classes from './plans.module.css';
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
  const { workspace } = useSession();
  const { edits } = useDefinition();
  const toModel = (
    <Button
      renderRoot={(props) => (
        <Link to="/$workspace/settings/model" params={{ workspace }} {...props} />
      )}
    >
      {t('plan.toModel')}
    </Button>
  );
  return (
    <SettingsFrame title={t('plan.title')} width="broad">
      {edits.length === 0 ? (
        <EmptyState title={t('plan.none')} text={t('plan.noneText')} action={toModel} />
      ) : (
        <Plan />
      )}
    </SettingsFrame>
  );
}

function Plan() {
  const session = useSession();
  const { present, edits } = useDefinition();
  const { data: plan, error } = useQuery(planQuery(session, present, edits));
  useReread(plan?.revision);
  if (error !== null) return <Problem error={error} />;
  if (plan === undefined) return <Waiting />;
  return <Planned plan={plan} />;
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

function Planned({ plan }: { readonly plan: DefinitionPlan }) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { present, edits, revision, replace } = useDefinition();
  const { mutate, error, isPending } = useApply();
  const conflicts = conflictsOf(present.document, edits);
  const isBehind = revision !== present.revision;
  useEffect(() => {
    // Without conflicts the changes are those of the newer definition from now on.
    if (isBehind && conflicts.length === 0 && isStale(error)) replace(edits);
  }, [isBehind, conflicts.length, error, replace, edits]);
  const count = changesOf(edits).length;
  const drop = () => {
    replace([]);
    showToast({ text: t('draft.dropped', { count }), undo: () => replace(edits) });
  };
  const apply = (allow: readonly string[]) =>
    mutate(
      { plan, edits, allow },
      {
        onSuccess(applied) {
          if ('job' in applied) {
            const params = { workspace, id: applied.job.id };
            return navigate({ to: '/$workspace/settings/plans/$id', params });
          }
          dropDraft(workspace);
          showToast({ text: t('plan.applied', { revision: applied.revision }) });
          return navigate({ to: '/$workspace/settings/model', params: { workspace } });
        },
      },
    );
  return (
    <>
      {isStale(error) && (
        <p className={classes.notice} role="alert">
          {t('plan.stale', { revision: present.revision })}
        </p>
      )}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      <PlanView plan={plan} />
      {error !== null && !isStale(error) && <Problem error={error} />}
      <ApplyForm
        key={plan.plan_id}
        plan={plan}
        isBlocked={conflicts.length > 0}
        isPending={isPending}
        onApply={apply}
        onDrop={drop}
      />
    </>
  );
}
