// The notifications that the person wants, in the list and by mail, and when mail is sent. A change is stored at once, with the language
// and the time zone of the browser, for mails.

import { Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Endpoints, MAIL_LANGUAGES } from '@workspace-records/client';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { Choice } from '../../ui/choice.tsx';
import { Problem, problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './notification-settings.module.css';

type Settings = Endpoints['getNotificationSettings']['result']['data'];
type Patch = Endpoints['updateNotificationSettings']['body'];
type Kind = keyof Settings['kinds'];

const WORDS = {
  mention: 'notify.mention',
  comment: 'notify.comment',
  assignment: 'notify.assignment',
  due: 'notify.due',
  approval_requested: 'notify.approval_requested',
  request_decided: 'notify.request_decided',
  webhook_failed: 'notify.webhook_failed',
  job_failed: 'notify.job_failed',
} as const satisfies Readonly<Record<Kind, string>>;

const KINDS = Object.keys(WORDS) as readonly Kind[];

function settingsQuery({ workspace, client }: Session) {
  return queryOptions({
    queryKey: [workspace, 'notification settings'],
    queryFn: ({ signal }) => client.notifications.settings({ signal }),
  });
}

export function NotificationSettings() {
  const t = useT();
  const session = useSession();
  const { data: settings, error } = useQuery(settingsQuery(session));
  const change = useChange();
  if (error !== null) return <Problem error={error} />;
  if (settings === undefined) return null;
  const times = {
    at_once: t('notify.atOnce'),
    hourly: t('notify.hourly'),
    daily: t('notify.daily'),
    off: t('notify.off'),
  };
  return (
    <div className={classes.settings}>
      {settings.sends_mail ? (
        <div className={classes.mail}>
          <Choice
            label={t('notify.mail')}
            options={times}
            value={settings.mail}
            onChange={(mail) => change({ mail })}
          />
          <Text c="dimmed">{t('notify.mailText', { zone: zoneOfBrowser() })}</Text>
        </div>
      ) : (
        <Text c="dimmed">{t('notify.noMail')}</Text>
      )}
      <Kinds settings={settings} onChange={change} />
    </div>
  );
}

/** Shown before the answer, so that a box follows the pointer. */
function useChange(): (patch: Patch) => void {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const code = useLanguage();
  const language = MAIL_LANGUAGES.find((one) => one === code) ?? null;
  const { queryKey } = settingsQuery(session);
  const { mutate } = useMutation({
    mutationFn: (patch: Patch) => session.client.notifications.updateSettings(patch),
    scope: { id: 'notification settings' },
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (patch) => {
    queries.setQueryData(queryKey, (known) => known && changed(known, patch));
    mutate({ ...patch, language, time_zone: zoneOfBrowser() });
  };
}

function changed(settings: Settings, { mail = settings.mail, kinds = {} }: Patch): Settings {
  const all = KINDS.map((kind) => [kind, { ...settings.kinds[kind], ...kinds[kind] }] as const);
  return { ...settings, mail, kinds: Object.fromEntries(all) as Settings['kinds'] };
}

interface KindsProps {
  readonly settings: Settings;
  readonly onChange: (patch: Patch) => void;
}

function Kinds({ settings, onChange }: KindsProps) {
  const t = useT();
  const columns = settings.sends_mail ? (['list', 'mail'] as const) : (['list'] as const);
  const words = { list: t('notify.inList'), mail: t('notify.byMail') };
  return (
    <table className={classes.kinds}>
      <thead>
        <tr>
          <th scope="col">{t('notify.kind')}</th>
          {columns.map((where) => (
            <th key={where} scope="col">
              {words[where]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">{t(WORDS[kind])}</th>
            {columns.map((where) => (
              <td key={where}>
                <input
                  type="checkbox"
                  aria-label={t('notify.switch', {
                    kind: t(WORDS[kind]),
                    where: words[where],
                  })}
                  checked={settings.kinds[kind][where]}
                  onChange={({ currentTarget }) =>
                    onChange({ kinds: { [kind]: { [where]: currentTarget.checked } } })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
