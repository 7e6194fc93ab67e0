// A page of settings, with links to the others at the side of its title.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import { Page } from './page.tsx';
import classes from './settings-frame.module.css';

const PAGES = [
  { to: '/$workspace/settings/profile', key: 'profile.title' },
  { to: '/$workspace/settings/sessions', key: 'sessions.title' },
  { to: '/$workspace/settings/keys', key: 'keys.title' },
] as const;

interface SettingsFrameProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsFrame({ title, actions, children }: SettingsFrameProps) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Page title={title} actions={actions}>
      <nav className={classes.pages} aria-label={t('settings.label')}>
        {PAGES.map(({ to, key }) => (
          <Link key={to} to={to} params={{ workspace }} className={classes.page}>
            {t(key)}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
