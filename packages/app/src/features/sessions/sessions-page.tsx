// Where one is signed in, and the end of what should not be.

import { Badge, Box, Button, Group, Text } from '@mantine/core';
import '@mantine/core/styles/Badge.layer.css';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ListedSession } from '@workspace-records/client';
import { signOut } from '../../actions/sign-out.ts';
import { useFormats } from '../../lib/format.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { sessionsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { deviceOf } from '../../lib/user-agent.ts';
import framed from '../../ui/framed-rows.module.css';
import { problemText } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';

const METHODS: Readonly<Record<ListedSession['method'], PlainKey>> = {
  password: 'sessions.byPassword',
  link: 'sessions.byLink',
  oidc: 'sessions.byProvider',
  passkey: 'sessions.byPasskey',
};

export default function SessionsPage() {
  const t = useT();
  const session = useSession();
  const { data: sessions } = useSuspenseQuery(sessionsQuery(session));
  const end = useEnd();
  const otherSessions = sessions.filter(({ current }) => !current);
  return (
    <SettingsFrame
      title={t('sessions.title')}
      actions={
        otherSessions.length > 0 && (
          <Button
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate(otherSessions)}
          >
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <Text c="dimmed" mb="lg">
        {t('sessions.text')}
      </Text>
      <ul className={framed.rows}>
        {sessions.map((one) => (
          <SessionRow key={one.id} session={one} onEnd={() => end.mutate([one])} />
        ))}
      </ul>
    </SettingsFrame>
  );
}

function useEnd() {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (ended: readonly ListedSession[]) => {
      for (const { id } of ended) await session.client.sessions.signOut(id);
      return ended.length;
    },
    onSuccess: (count) => showToast({ text: t('sessions.ended', { count }) }),
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
    onSettled: () => queries.invalidateQueries(sessionsQuery(session)),
  });
}

interface SessionRowProps {
  readonly session: ListedSession;
  readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const t = useT();
  const signedIn = useSession();
  const { moment, ago } = useFormats();
  const { method, user_agent, created_at, last_used_at, expires_at, current } = session;
  const device = useDevice(user_agent);
  return (
    <li className={framed.row}>
      <Box miw={0} flex={1}>
        <Group wrap="nowrap" gap="sm" fw={500}>
          {device ?? t(METHODS[method])}
          {current && (
            <Badge variant="light" size="sm" tt="none">
              {t('sessions.this')}
            </Badge>
          )}
        </Group>
        <Text component="div" c="dimmed" fz="xs">
          {device !== undefined && `${t(METHODS[method])} · `}
          {t('sessions.times', {
            begun: moment(created_at),
            used: ago(last_used_at),
            ends: moment(expires_at),
          })}
        </Text>
      </Box>
      {current ? (
        <Button variant="default" onClick={() => void signOut(signedIn)}>
          {t('session.signOut')}
        </Button>
      ) : (
        <Button variant="default" onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

/** A device such as "Firefox on Windows"; undefined where the session does not name one. */
function useDevice(agent: string | null): string | undefined {
  const t = useT();
  if (agent === null) return undefined;
  const { browser, system } = deviceOf(agent);
  if (browser !== undefined && system !== undefined) return t('sessions.on', { browser, system });
  return browser ?? system;
}
