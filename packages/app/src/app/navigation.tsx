// The navigation: home, search, every object that its person may read, settings. Entries that cannot be opened are
// not shown.

import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { openPalette } from '../actions/palette-state.ts';
import { useFirstUse } from '../lib/first-use.ts';
import { loadCode } from '../lib/load-code.ts';
import { useT } from '../lib/messages/index.ts';
import { MOST_COUNTED, unreadCountQuery } from '../lib/notifications.ts';
import { useSession } from '../lib/session.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './navigation.module.css';
import { Content, Entry, useLater } from './navigation-entry.tsx';
import { Favorites } from './navigation-favorites.tsx';
import { Objects } from './navigation-objects.tsx';
import { PersonButton } from './person-button.tsx';

/** The code of the menu is not needed for the first page. */
const PersonMenu = lazy(() => loadCode(() => import('./person-menu.tsx')));

interface NavigationProps {
  readonly isCollapsed: boolean;
  readonly onCollapse?: () => void;
}

export function Navigation({ isCollapsed, onCollapse }: NavigationProps) {
  const t = useT();
  const { me, workspace } = useSession();
  const params = { workspace };
  return (
    <nav
      className={classes.navigation}
      data-collapsed={isCollapsed || undefined}
      aria-label={t('nav.label')}
    >
      {onCollapse !== undefined && (
        <div className={classes.head}>
          {!isCollapsed && <span className={classes.name}>{me.workspace.name}</span>}
          <ActionIcon
            aria-label={isCollapsed ? t('nav.expand') : t('nav.collapse')}
            aria-expanded={!isCollapsed}
            onClick={onCollapse}
          >
            <Icon name="panel" />
          </ActionIcon>
        </div>
      )}
      <Entry name={t('nav.search')} isCollapsed={isCollapsed}>
        <UnstyledButton
          className={classes.entry}
          onClick={() => openPalette()}
          aria-label={t('nav.search')}
        >
          <Content icon="search" name={t('nav.search')} />
          <span className={classes.keys} data-keys={t('nav.searchKeys')} />
        </UnstyledButton>
      </Entry>
      <Entry name={t('nav.home')} isCollapsed={isCollapsed}>
        <Link
          to="/$workspace"
          params={params}
          activeOptions={{ exact: true }}
          className={classes.entry}
          aria-label={t('nav.home')}
        >
          <Content icon="home" name={t('nav.home')} />
        </Link>
      </Entry>
      <NotificationsEntry isCollapsed={isCollapsed} />
      <PageEntry page={REPORTS} isCollapsed={isCollapsed} />
      <div className={classes.group}>
        <Suspense>
          <Favorites isCollapsed={isCollapsed} />
          <Objects isCollapsed={isCollapsed} />
        </Suspense>
      </div>
      <div className={classes.foot}>
        <PageEntry page={SETTINGS} isCollapsed={isCollapsed} />
        <Person isCollapsed={isCollapsed} />
      </div>
    </nav>
  );
}

/** Entries are current on the pages below them too. */
const REPORTS = { to: '/$workspace/reports', label: 'reports.title', icon: 'bars' } as const;
const SETTINGS = { to: '/$workspace/settings', label: 'settings.label', icon: 'settings' } as const;

interface PageEntryProps extends Pick<NavigationProps, 'isCollapsed'> {
  readonly page: typeof REPORTS | typeof SETTINGS;
}

function PageEntry({ page: { to, label, icon }, isCollapsed }: PageEntryProps) {
  const t = useT();
  const name = t(label);
  const { workspace } = useSession();
  return (
    <Entry name={name} isCollapsed={isCollapsed}>
      <Link
        to={to}
        params={{ workspace }}
        activeOptions={{ includeSearch: false }}
        className={classes.entry}
        aria-label={name}
      >
        <Content icon={icon} name={name} />
      </Link>
    </Entry>
  );
}

/** Milliseconds: requests of the page itself come first. */
const LATER = 500;

/** The number is read when the page has come, and again when an event reports a new one. */
function NotificationsEntry({ isCollapsed }: Pick<NavigationProps, 'isCollapsed'>) {
  const t = useT();
  const session = useSession();
  const isLater = useLater(LATER);
  const { data: count = 0 } = useInfiniteQuery({ ...unreadCountQuery(session), enabled: isLater });
  const name = count === 0 ? t('notifications.title') : t('notifications.unreadCount', { count });
  return (
    <Entry name={name} isCollapsed={isCollapsed}>
      <Link
        to="/$workspace/notifications"
        params={{ workspace: session.workspace }}
        activeOptions={{ includeSearch: false }}
        className={classes.entry}
        aria-label={name}
      >
        <Content icon="bell" name={t('notifications.title')} />
        {count > 0 && <span className={classes.badge} data-count={textOf(count)} />}
      </Link>
    </Entry>
  );
}

function textOf(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count);
}

/** Pressed before the menu has come, it opens when it has. */
function Person({ isCollapsed }: Pick<NavigationProps, 'isCollapsed'>) {
  const [isWanted, setWanted] = useState(false);
  const button = <PersonButton onClick={() => setWanted(true)} />;
  if (!useFirstUse()) return button;
  return (
    <Suspense fallback={button}>
      <PersonMenu isCollapsed={isCollapsed} isOpenAtFirst={isWanted} />
    </Suspense>
  );
}
