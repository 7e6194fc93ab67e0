// A page of settings, with links to the others: a list at its side, one's own and those of the workspace apart; on a
// narrow screen a row above it.

import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { Access } from '@workspace-records/client';
import { type ReactNode, useEffect, useRef } from 'react';
import { useT } from '../lib/messages/index.ts';
import { accessQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Page } from './page.tsx';
import classes from './settings-frame.module.css';

const OWN = [
  { to: '/$workspace/settings/profile', key: 'profile.title', isFor: 'everybody' },
  { to: '/$workspace/settings/sessions', key: 'sessions.title', isFor: 'everybody' },
  { to: '/$workspace/settings/keys', key: 'keys.title', isFor: 'developers' },
  { to: '/$workspace/settings/webhooks', key: 'webhooks.title', isFor: 'developers' },
] as const;

const OF_WORKSPACE = [
  { to: '/$workspace/settings/people', key: 'people.title', isFor: 'administrators' },
  { to: '/$workspace/settings/teams', key: 'teams.title', isFor: 'administrators' },
  { to: '/$workspace/settings/roles', key: 'roles.title', isFor: 'administrators' },
  {
    to: '/$workspace/settings/model',
    key: 'model.title',
    isFor: 'administrators',
    has: ['workflows', 'plans'] as readonly string[],
  },
  { to: '/$workspace/settings/sign-in-methods', key: 'methods.title', isFor: 'administrators' },
  { to: '/$workspace/settings/audit', key: 'audit.title', isFor: 'administrators' },
] as const;

interface Offered {
  readonly isFor: 'everybody' | 'developers' | 'administrators';
  /** The other pages of settings that belong to this one. */
  readonly has?: readonly string[];
}

const GROUPS = [
  { key: 'settings.own', pages: OWN },
  { key: 'settings.ofWorkspace', pages: OF_WORKSPACE },
] as const;

interface SettingsFrameProps {
  readonly title: string;
  /** Above the title, such as the list that the page belongs to. */
  readonly above?: ReactNode;
  /** Right after the title. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  /** `broad`: tables. */
  readonly width?: 'narrow' | 'broad';
  readonly children: ReactNode;
}

export function SettingsFrame({ children, width = 'narrow', ...page }: SettingsFrameProps) {
  return (
    <Page {...page} width="settings">
      <div className={classes.frame}>
        <Pages />
        <div className={classes.content} data-width={width}>
          {children}
        </div>
      </div>
    </Page>
  );
}

/** The attributes of an active link of the router. */
const PRESENT = { 'data-status': 'active', 'aria-current': 'page' } as const;

function Pages() {
  const t = useT();
  const list = useRef<HTMLElement>(null);
  // In a row that is longer than the screen the present page is in view.
  useEffect(() => {
    list.current
      ?.querySelector('[data-status=active]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, []);
  const session = useSession();
  const { workspace } = session;
  const part = useLocation({ select: ({ pathname }) => pathname.split('/')[3] ?? '' });
  const { data: access } = useQuery(accessQuery(session));
  // Somebody who is viewed as has pages to read, and these are for changes.
  const isViewing = session.me.viewing !== undefined;
  return (
    <nav ref={list} className={classes.pages} aria-label={t('settings.label')}>
      {GROUPS.map(({ key, pages }) => {
        const offered = pages.filter((one) =>
          isViewing ? one.key === 'profile.title' : isOffered(one, access),
        );
        if (offered.length === 0) return null;
        return (
          <div key={key} className={classes.group}>
            <div className={classes.heading}>{t(key)}</div>
            {offered.map((one) => (
              <Link
                key={one.to}
                to={one.to}
                params={{ workspace }}
                activeOptions={{ includeSearch: false }}
                className={classes.page}
                {...('has' in one && one.has.includes(part) ? PRESENT : {})}
              >
                {t(one.key)}
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
}

function isOffered({ isFor }: Offered, access: Access | undefined): boolean {
  if (isFor === 'everybody') return true;
  if (isFor === 'developers') return access?.developer.allowed === true;
  return access?.administrator.allowed === true;
}
