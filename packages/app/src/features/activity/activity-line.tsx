// An entry of the audit of a record in words: who did what, and from which status to which one a record was moved.

import type { AuditEntry } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './activity.module.css';
import type { Move, MoveOf } from './use-moves.ts';

interface ActivityLineProps {
  readonly entry: AuditEntry;
  readonly nameOf: (key: string) => string;
  readonly moveOf: MoveOf;
}

export function ActivityLine(props: ActivityLineProps) {
  const t = useT();
  const { user } = props.entry;
  if (user === null) return <Line {...props} person={t('activity.operator')} />;
  return <LineOf {...props} id={user.id} />;
}

function LineOf({ id, ...props }: ActivityLineProps & { readonly id: number }) {
  return <Line {...props} person={usePersonName(id)} />;
}

interface LineProps extends ActivityLineProps {
  readonly person: string;
}

function Line(props: LineProps) {
  const { entry } = props;
  const { ago, moment } = useFormats();
  const text = useSentence(props);
  return (
    <li className={classes.entry}>
      <Avatar name={props.person} size="small" />
      <span className={classes.text}>{text}</span>
      <time className={classes.time} dateTime={entry.at} title={moment(entry.at)}>
        {ago(entry.at)}
      </time>
    </li>
  );
}

/** Names of fields in one sentence; more of them are a number. */
const MOST_NAMES = 5;

function useSentence({ entry, nameOf, moveOf, person }: LineProps): string {
  const { action, changed_fields, source } = entry;
  const t = useT();
  const language = useLanguage();
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  const names = changed_fields.slice(0, MOST_NAMES).map(nameOf);
  const more = changed_fields.length - MOST_NAMES;
  const fields = list.format(more > 0 ? [...names, t('activity.more', { count: more })] : names);
  const sentences: Readonly<Record<string, string>> = {
    create: t('activity.create', { person }),
    update: t('activity.update', { person, fields }),
    status: t('activity.status', { person }),
    link: t('activity.link', { person, fields }),
    unlink: t('activity.unlink', { person, fields }),
    delete: t('activity.delete', { person }),
    restore: t('activity.restore', { person }),
    merge: t('activity.merge', { person }),
    status_request: t('activity.requested', { person }),
    status_approval: t('activity.approvedMove', { person }),
    status_decision: t('activity.decidedMove', { person }),
  };
  const moved = useMoved(person, action, moveOf(entry));
  const sentence = moved ?? sentences[action] ?? t('activity.other', { person, action });
  const way = source === 'import' ? t('activity.import') : t('activity.bulk');
  return source === 'import' || source === 'bulk' ? `${sentence} ${way}` : sentence;
}

/** Undefined: the entry is about something else, or its statuses are unknown. */
function useMoved(person: string, action: string, move: Move | undefined): string | undefined {
  const t = useT();
  const list = new Intl.ListFormat(localeOf(useLanguage()), { type: 'conjunction' });
  if (move === undefined) return undefined;
  const { from, to, request } = move;
  const words = { person, from, to };
  if (action === 'status_request') return t('activity.requestedMove', words);
  if (action === 'status_approval') return t('activity.approvedOf', words);
  if (action === 'status_decision') {
    if (request?.state === 'withdrawn') return t('activity.withdrawnOf', words);
    return t(request?.state === 'rejected' ? 'activity.rejectedOf' : 'activity.approvedOf', words);
  }
  const approvals = (request?.decisions ?? []).filter(({ decision }) => decision === 'approved');
  if (approvals.length === 0) return t('activity.moved', words);
  const names = approvals.map(({ user }) => user.name ?? t('person.unknown'));
  return t('activity.movedApproved', { ...words, names: list.format(names) });
}
