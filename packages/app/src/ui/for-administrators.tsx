// In place of a page of settings for administrators, for everybody else.

import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import { accessQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { EmptyState } from './empty-state.tsx';
import { SettingsFrame } from './settings-frame.tsx';

interface ForAdministratorsProps {
  /** The title of the page. */
  readonly title: string;
  readonly children: ReactNode;
}

export function ForAdministrators({ title, children }: ForAdministratorsProps) {
  const t = useT();
  const session = useSession();
  const { data: access } = useSuspenseQuery(accessQuery(session));
  const isViewing = session.me.viewing !== undefined;
  if (access.administrator.allowed && !isViewing) return children;
  return (
    <SettingsFrame title={title}>
      <EmptyState title={t('administrators.only')} text={t('administrators.onlyText')} />
    </SettingsFrame>
  );
}
