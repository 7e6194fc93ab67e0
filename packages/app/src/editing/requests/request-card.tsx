// A move that was asked for: who asked, from where to where, what has changed since, and what the person may do about it.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Field, StatusRequest } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { labelOf, tintOfOption } from '../../fields/options.ts';
import { useFormats } from '../../lib/format.ts';
import { localeOf, type PlainKey, useLanguage, useT } from '../../lib/messages/index.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useDecide, type Verdict } from '../../lib/status-requests.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './request-card.module.css';

interface RequestCardProps {
  readonly request: StatusRequest;
  /** Where it is shown elsewhere than on the record: a link to that. */
  readonly record?: ReactNode;
  /** The people who may decide, in words. */
  readonly approvers?: string | undefined;
}

export function RequestCard({ request, record, approvers }: RequestCardProps) {
  const t = useT();
  const { ago, moment } = useFormats();
  const { given, required } = request.approvals;
  const { requested_by: by, requested_at: at, comment } = request;
  return (
    <article className={classes.request} aria-label={useTitle(request)}>
      {record}
      <div className={classes.move}>
        <Icon name="clock" size={14} />
        <Status request={request} status={request.from_status} />
        <span aria-hidden="true">→</span>
        <Status request={request} status={request.to_status} />
        <span className={classes.about}>
          {t('approval.by', { name: by.name ?? t('person.unknown') })}{' '}
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
        </span>
      </div>
      {comment !== null && <p className={classes.comment}>{comment}</p>}
      {required > 1 && <p className={classes.about}>{t('approval.count', { given, required })}</p>}
      <Changed request={request} />
      {approvers !== undefined && !request.can_decide && (
        <p className={classes.about}>{approvers}</p>
      )}
      <Buttons request={request} />
    </article>
  );
}

function useTitle({ object_type, to_status, display }: StatusRequest): string {
  const t = useT();
  const status = useStatusName(object_type)(to_status);
  return t('approval.title', { name: display ?? t('records.unnamed'), status });
}

const NO_FIELDS: readonly Field[] = [];

/** None until they have come: a page must not wait for them. */
function useFields(objectType: string): readonly Field[] {
  return useQuery(objectQuery(useSession(), objectType)).data?.fields ?? NO_FIELDS;
}

function useStatusName(objectType: string): (status: string) => string {
  const field = useFields(objectType).find(({ key }) => key === 'status');
  return (status) => (field === undefined ? status : labelOf(field, status));
}

function Status({ request, status }: { readonly request: StatusRequest; readonly status: string }) {
  const fields = useFields(request.object_type);
  const field = fields.find(({ key }) => key === 'status') ?? {};
  return (
    <Tag tint={tintOfOption(field, status)} isStatus>
      {labelOf(field, status)}
    </Tag>
  );
}

/** An approver sees that the record is no longer the one that was asked for. */
function Changed({ request: { object_type, changed_fields } }: Pick<RequestCardProps, 'request'>) {
  const t = useT();
  const language = useLanguage();
  const fields = useFields(object_type);
  if (changed_fields.length === 0) return null;
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  const names = changed_fields.map((key) => fields.find((field) => field.key === key)?.name ?? key);
  return (
    <p className={classes.changed}>
      <Icon name="warning" size={14} />
      {t('approval.changed', { fields: list.format(names) })}
    </p>
  );
}

function Buttons({ request }: Pick<RequestCardProps, 'request'>) {
  const t = useT();
  const { me } = useSession();
  const decide = useDecide();
  const status = useStatusName(request.object_type)(request.to_status);
  const isOwn = request.requested_by.id === me.user.id;
  if (me.viewing !== undefined || !(isOwn || request.can_decide)) return null;
  const act = (decision: Verdict) => () =>
    decide.mutate(
      { request, decision },
      {
        onSuccess: ({ state }) => showToast({ text: doneText(state) }),
        onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
      },
    );
  const doneText = (state: string) => {
    if (state === 'approved') return t('approval.approved', { status });
    if (state === 'rejected') return t('approval.rejected');
    return state === 'withdrawn' ? t('approval.withdrawn') : t('approval.noted');
  };
  const running = decide.isPending ? decide.variables.decision : undefined;
  const isBusy = running !== undefined;
  const button = (decision: Verdict, word: PlainKey, variant: 'filled' | 'default') => (
    <Button
      size="xs"
      variant={variant}
      loading={running === decision}
      disabled={isBusy}
      onClick={act(decision)}
    >
      {t(word)}
    </Button>
  );
  return (
    <div className={classes.buttons}>
      {request.can_decide && button('approve', 'approval.approve', 'filled')}
      {request.can_decide && button('reject', 'approval.reject', 'default')}
      {isOwn && button('withdraw', 'approval.withdraw', 'default')}
    </div>
  );
}
