// In place of a page of settings for people with developer access, for everybody else.

import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import { accessQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { EmptyState } from './empty-state.tsx';
import { SettingsFrame } from './settings-frame.tsx';

interface ForDevelopersProps {
  /** The title of the page. */
  readonly title: string;
  readonly children: ReactNode;
}

export function ForDevelopers({ title, children }: ForDevelopersProps) {
  const t = useT();
  const session = useSession();
  const { data: access } = useSuspenseQuery(accessQuery(session));
  const isViewing = session.me.viewing !== undefined;
  if (access.developer.allowed && !isViewing) return children;
  return (
    <SettingsFrame title={title}>
      <EmptyState title={t('keys.notAllowed')} text={t('keys.notAllowedText')} />
    </SettingsFrame>
  );
}
