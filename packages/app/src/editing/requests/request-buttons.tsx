// The acts of a person on a request: approve, reject with a reason, withdraw.

import { Button, Group, Textarea } from '@mantine/core';
import type { StatusRequest } from '@workspace-records/client';
import { useState } from 'react';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { MOST_SAID, useDecide, type Verdict } from '../../lib/status-requests.ts';
import { problemText } from '../../ui/problem.tsx';
import { useStatuses } from '../../ui/requested-move.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './request-card.module.css';

interface RequestButtonsProps {
  readonly request: StatusRequest;
}

export function RequestButtons({ request }: RequestButtonsProps) {
  const { me } = useSession();
  /** False: the rejection was cancelled, and its button has the focus again. */
  const [isRejecting, setRejecting] = useState<boolean>();
  const { act, running } = useActs(request);
  const isOwn = request.requested_by.id === me.user.id;
  if (me.viewing !== undefined || !(isOwn || request.can_decide)) return null;
  if (isRejecting) {
    const reject = (reason: string) => act('reject', reason);
    const isBusy = running !== undefined;
    return <Rejection {...{ reject, isBusy }} onClose={() => setRejecting(false)} />;
  }
  return (
    <Choices
      {...{ request, isOwn, act, running }}
      hasFocus={isRejecting === false}
      onReject={() => setRejecting(true)}
    />
  );
}

type Act = (decision: Verdict, comment?: string) => void;

function useActs(request: StatusRequest) {
  const t = useT();
  const decide = useDecide();
  const status = useStatuses(request.object_type)(request.to_status).name;
  const name = recordName(request);
  const doneText = (state: string) => {
    if (state === 'approved') return t('approval.approved', { status });
    if (state === 'rejected') return t('approval.rejected', { name, status });
    return state === 'withdrawn' ? t('approval.withdrawn') : t('approval.noted');
  };
  // The card is gone by then, and callbacks of `mutate` with it.
  const act: Act = (decision, comment = '') =>
    void decide.mutateAsync({ request, decision, comment }).then(
      ({ state }) => showToast({ text: doneText(state) }),
      (error: unknown) => showToast({ text: problemText(error, t), isProblem: true }),
    );
  return { act, running: decide.isPending ? decide.variables.decision : undefined };
}

interface ChoicesProps extends RequestButtonsProps {
  readonly isOwn: boolean;
  readonly act: Act;
  readonly running: Verdict | undefined;
  /** True: the button that rejects takes the focus. */
  readonly hasFocus: boolean;
  readonly onReject: () => void;
}

function Choices({ request, isOwn, act, running, hasFocus, onReject }: ChoicesProps) {
  const t = useT();
  const button = (decision: Verdict, word: PlainKey, onClick = () => act(decision)) => (
    <Button
      size="xs"
      variant={decision === 'approve' ? 'filled' : 'default'}
      autoFocus={decision === 'reject' && hasFocus}
      loading={running === decision}
      disabled={running !== undefined}
      onClick={onClick}
    >
      {t(word)}
    </Button>
  );
  return (
    <Group gap="sm">
      {request.can_decide && button('approve', 'approval.approve')}
      {request.can_decide && button('reject', 'approval.reject', onReject)}
      {isOwn && button('withdraw', 'approval.withdraw')}
    </Group>
  );
}

interface RejectionProps {
  readonly reject: (reason: string) => void;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

function Rejection({ reject, isBusy, onClose }: RejectionProps) {
  const t = useT();
  const [reason, setReason] = useState('');
  return (
    <form
      className={classes.rejection}
      onSubmit={(event) => {
        event.preventDefault();
        reject(reason);
      }}
    >
      <Textarea
        autoFocus
        label={t('approval.reason')}
        description={t('approval.reasonText')}
        maxLength={MOST_SAID}
        rows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Group gap="sm">
        <Button type="submit" size="xs" color="red" loading={isBusy}>
          {t('approval.reject')}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={onClose}>
          {t('record.cancel')}
        </Button>
      </Group>
    </form>
  );
}
