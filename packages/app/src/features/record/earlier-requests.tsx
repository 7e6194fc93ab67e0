// Requests for moves of a record that are decided, withdrawn or expired, folded: each with its move, the person who
// decided, and the reason.

import { Text } from '@mantine/core';
import type { StatusRequest } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useNameOf } from '../../lib/person-names.ts';
import { RequestedMove } from '../../ui/requested-move.tsx';
import classes from './earlier-requests.module.css';

interface EarlierRequestsProps {
  readonly requests: readonly StatusRequest[];
}

export function EarlierRequests({ requests }: EarlierRequestsProps) {
  const t = useT();
  if (requests.length === 0) return null;
  return (
    <details className={classes.earlier}>
      <summary>
        {t('approval.earlier')} <span className={classes.count}>{requests.length}</span>
      </summary>
      <ul aria-label={t('approval.earlier')}>
        {requests.map((request) => (
          <EarlierRequest key={request.id} request={request} />
        ))}
      </ul>
    </details>
  );
}

function EarlierRequest({ request }: { readonly request: StatusRequest }) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { object_type, requested_by, decided_at, requested_at } = request;
  const at = decided_at ?? requested_at;
  const said = request.decisions.filter(({ comment }) => comment !== null);
  return (
    <li>
      <RequestedMove objectType={object_type} move={request} />
      <Text c="dimmed" fz="xs" mt="xs">
        {t('approval.by', { name: useNameOf(requested_by) })} · {useEnd(request)}{' '}
        <time dateTime={at} title={moment(at)}>
          {ago(at)}
        </time>
      </Text>
      {said.map(({ comment, at: saidAt }) => (
        <p key={saidAt} className={classes.comment}>
          {comment}
        </p>
      ))}
    </li>
  );
}

function useEnd({ state, decisions }: StatusRequest): string {
  const t = useT();
  const name = useNameOf(decisions.at(-1)?.user ?? { id: null, name: null });
  if (state === 'approved') return t('approval.approvedBy', { name });
  if (state === 'rejected') return t('approval.rejectedBy', { name });
  return state === 'withdrawn' ? t('approval.withdrawn') : t('approval.expired');
}
