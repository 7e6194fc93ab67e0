// The frame of all pages of a signed-in person: navigation at the side of the page, in a drawer on narrow screens,
// the palette and the dialog to sign in again above it.

import { ActionIcon, Drawer } from '@mantine/core';
import { Outlet, useLocation, useParams, useRouteContext } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { followSignOut } from '../actions/sign-out.ts';
import { CreationHost } from '../editing/creation-host.tsx';
import { MoveConfirmationHost } from '../editing/move-confirmation-host.tsx';
import { AskHost } from '../editing/requests/ask-host.tsx';
import { clientOf } from '../lib/connection.ts';
import { noteWorkspace } from '../lib/known-workspaces.ts';
import { useT } from '../lib/messages/index.ts';
import { watchSession } from '../lib/other-session.ts';
import { presentPerson, type Session, SessionContext } from '../lib/session.ts';
import { readSetting, writeSetting } from '../lib/storage.ts';
import { Icon } from '../ui/icon.tsx';
import { PageTitle } from '../ui/page.tsx';
import { useCodeAhead } from './code-ahead.ts';
import { KeysHost } from './keys-host.tsx';
import { LiveHost } from './live-host.tsx';
import { LoadingLine } from './loading-line.tsx';
import { Navigation } from './navigation.tsx';
import { ObjectFileHost } from './object-file-host.tsx';
import { OtherSessionDialog } from './other-session-dialog.tsx';
import { PaletteHost } from './palette-host.tsx';
import classes from './shell.module.css';
import { ShownObjectsHost } from './shown-objects-host.tsx';
import { SignInAgainHost } from './sign-in-again-host.tsx';
import { UndoHost } from './undo-host.tsx';
import { UnsavedHost } from './unsaved-host.tsx';
import { ViewingBanner } from './viewing-banner.tsx';

export function Shell() {
  const t = useT();
  const session = useSessionOfRoute();
  const [isCollapsed, setCollapsed] = useState(() => readSetting('sidebar') === 'collapsed');
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const pathname = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the page changes.
  useEffect(() => setDrawerOpen(false), [pathname]);
  useCodeAhead(session);
  useEffect(() => noteWorkspace(session.workspace), [session.workspace]);
  useEffect(() => followSignOut(session), [session]);
  useWatchedSession(session);
  const collapse = () => {
    writeSetting('sidebar', isCollapsed ? 'open' : 'collapsed');
    setCollapsed(!isCollapsed);
  };
  return (
    <SessionContext value={session}>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      <LoadingLine />
      <div className={classes.whole}>
        <ViewingBanner />
        <div className={classes.shell} data-collapsed={isCollapsed || undefined}>
          <div className={classes.sidebar}>
            <Navigation isCollapsed={isCollapsed} onCollapse={collapse} />
          </div>
          <div className={classes.topbar}>
            <ActionIcon aria-label={t('shell.menu')} onClick={() => setDrawerOpen(true)}>
              <Icon name="menu" />
            </ActionIcon>
            <span className={classes.workspace}>{session.me.workspace.name}</span>
          </div>
          <main id="main" className={classes.main} tabIndex={-1}>
            <Suspense fallback={<AwaitedPage />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
        {session.me.viewing === undefined && <UnsavedHost />}
      </div>
      <Drawer
        opened={isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
        size="17rem"
        closeOnClickOutside
        title={session.me.workspace.name}
        closeButtonProps={{ 'aria-label': t('shell.closeMenu') }}
        classNames={{ body: classes.drawer }}
      >
        <Navigation isCollapsed={false} />
      </Drawer>
      <Hosts session={session} />
    </SessionContext>
  );
}

function useWatchedSession(session: Session): void {
  const isViewing = session.me.viewing !== undefined;
  useEffect(() => {
    const { workspace } = session;
    const present = () => presentPerson(workspace);
    return isViewing ? undefined : watchSession({ ...session, present });
  }, [session, isViewing]);
}

/** Dialogs and lists above the pages, and the work beside them. */
function Hosts({ session }: { readonly session: Session }) {
  return (
    <>
      <CreationHost />
      <MoveConfirmationHost />
      <AskHost />
      <PaletteHost />
      <KeysHost />
      <SignInAgainHost />
      <OtherSessionDialog />
      <ShownObjectsHost />
      <ObjectFileHost />
      <UndoHost workspace={session.workspace} />
      {/* The stream of the browser is that of the person who signed in. */}
      {session.me.viewing === undefined && <LiveHost />}
    </>
  );
}

function useSessionOfRoute(): Session {
  const { workspace } = useParams({ from: '/$workspace' });
  const me = useRouteContext({ from: '/$workspace/shell', select: (context) => context.me });
  return useMemo(() => ({ workspace, client: clientOf(workspace), me }), [workspace, me]);
}

/** The heading of the settings while one of their pages loads its data; other pages come with a part of theirs. */
function AwaitedPage() {
  const t = useT();
  const isOfSettings = useLocation({ select: ({ pathname }) => pathname.includes('/settings/') });
  return isOfSettings && <PageTitle>{t('settings.label')}</PageTitle>;
}
