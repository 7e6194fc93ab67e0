// A page of settings, with links to the others at the side of its title.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import { accessQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Page } from './page.tsx';
import classes from './settings-frame.module.css';

const PAGES = [
  { to: '/$workspace/settings/profile', key: 'profile.title', isFor: 'everybody' },
  { to: '/$workspace/settings/sessions', key: 'sessions.title', isFor: 'everybody' },
  { to: '/$workspace/settings/keys', key: 'keys.title', isFor: 'developers' },
  { to: '/$workspace/settings/webhooks', key: 'webhooks.title', isFor: 'developers' },
  { to: '/$workspace/settings/model', key: 'model.title', isFor: 'administrators' },
] as const;

interface SettingsFrameProps {
  readonly title: string;
  /** Right after the title. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  /** `broad`: tables. */
  readonly width?: 'narrow' | 'broad';
  readonly children: ReactNode;
}

export function SettingsFrame({ children, ...page }: SettingsFrameProps) {
  const t = useT();
  const session = useSession();
  const { workspace } = session;
  const { data: access } = useQuery(accessQuery(session));
  const pages = PAGES.filter(({ isFor }) => {
    if (isFor === 'everybody') return true;
    return (isFor === 'developers' ? access?.developer : access?.administrator)?.allowed === true;
  });
  return (
    <Page {...page}>
      <nav className={classes.pages} aria-label={t('settings.label')}>
        {pages.map(({ to, key }) => (
          <Link key={to} to={to} params={{ workspace }} className={classes.page}>
            {t(key)}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
