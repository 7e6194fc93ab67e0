// The signed-in person, and their own settings: password, language, theme.

import { Box, Group, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { changeLanguage } from '../../lib/language-change.ts';
import {
  LANGUAGES,
  type Language,
  languageName,
  useLanguage,
  useT,
} from '../../lib/messages/index.ts';
import { sessionsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { setSingleKeys, useSingleKeys } from '../../lib/single-keys.ts';
import { useIsAdministrator } from '../../lib/use-administrator.ts';
import { Choice } from '../../ui/choice.tsx';
import { SecondFactor } from '../../ui/second-factor.tsx';
import { Section } from '../../ui/section.tsx';
import { SetPassword } from '../../ui/set-password.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';
import { NotificationSettings } from './notification-settings.tsx';
import classes from './profile-page.module.css';

export default function ProfilePage() {
  const t = useT();
  const { me, client, workspace } = useSession();
  const isByLink = useIsByLink();
  const rows = [
    [t('profile.name'), me.user.name],
    [t('profile.email'), me.user.email],
    [t('profile.role'), me.user.title],
    [t('profile.workspace'), me.workspace.name],
  ] as const;
  return (
    <SettingsFrame title={t('profile.title')}>
      <Section title={t('profile.who')} text={<WhoManages />}>
        <dl className={classes.facts}>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ?? '–'}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t('profile.look')} text={t('profile.lookText')}>
        <Look />
      </Section>
      <Section title={t('shortcuts.section')} text={t('shortcuts.sectionText')}>
        <Group gap="lg">
          <SingleKeys />
        </Group>
      </Section>
      {me.viewing === undefined && (
        <Section title={t('notify.section')} text={t('notify.sectionText')}>
          <NotificationSettings />
        </Section>
      )}
      {me.viewing === undefined && (
        <Section
          title={t('profile.password')}
          text={isByLink ? t('profile.passwordByLink') : t('profile.passwordText')}
        >
          <Box maw="22rem">
            <SetPassword
              client={client}
              email={me.user.email ?? ''}
              needsCurrent={!isByLink}
              onSet={(count) => showToast({ text: t('profile.passwordSet', { count }) })}
            />
          </Box>
        </Section>
      )}
      {me.viewing === undefined && (
        <Section title={t('factor.title')} text={t('factor.text')}>
          <SecondFactor workspace={workspace} client={client} />
        </Section>
      )}
    </SettingsFrame>
  );
}

/** A person who came by a link may replace a forgotten password. */
function useIsByLink(): boolean {
  const session = useSession();
  const enabled = session.me.viewing === undefined;
  const { data = [] } = useQuery({ ...sessionsQuery(session), enabled });
  return data.find(({ current }) => current)?.method === 'link';
}

function SingleKeys() {
  const t = useT();
  const isOn = useSingleKeys();
  return (
    <Choice
      label={t('shortcuts.setting')}
      options={{ on: t('shortcuts.settingOn'), off: t('shortcuts.settingOff') }}
      value={isOn ? 'on' : 'off'}
      onChange={(chosen) => setSingleKeys(chosen === 'on')}
    />
  );
}

const LANGUAGE_NAMES = Object.fromEntries(LANGUAGES.map((one) => [one, languageName(one)]));

function Look() {
  const t = useT();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const themes = { auto: t('theme.auto'), light: t('theme.light'), dark: t('theme.dark') };
  return (
    <Group gap="lg">
      <Choice
        label={t('profile.theme')}
        options={themes}
        value={colorScheme}
        onChange={setColorScheme}
      />
      <Choice
        label={t('profile.language')}
        options={LANGUAGE_NAMES}
        value={language}
        onChange={(chosen: Language) => void changeLanguage(chosen)}
      />
    </Group>
  );
}

/** Names are changed by administrators, who change their own where they change those of others. */
function WhoManages() {
  const t = useT();
  const { me, workspace } = useSession();
  if (!useIsAdministrator()) return t('profile.whoText');
  return (
    <Link to="/$workspace/settings/people/$id" params={{ workspace, id: String(me.user.id) }}>
      {t('profile.change')}
    </Link>
  );
}
