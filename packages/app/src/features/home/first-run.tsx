// For administrators of a workspace without records: ways to begin.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectSummary } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { isEmptyQuery } from '../../lib/open-work.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './home-page.module.css';

interface FirstRunProps {
  readonly objects: readonly ObjectSummary[];
  /** For everybody else. */
  readonly children: ReactNode;
}

export function FirstRun({ objects, children }: FirstRunProps) {
  const t = useT();
  const session = useSession();
  const params = { workspace: session.workspace };
  const access = useQuery(accessQuery(session));
  const isAdministrator = access.data?.administrator.allowed === true;
  const types = objects.map(({ object_type }) => object_type);
  const empty = useQuery({ ...isEmptyQuery(session, types), enabled: isAdministrator });
  const first = objects.find(
    ({ permissions, capabilities }) => permissions.create.allowed && capabilities.create,
  );
  if (access.isPending || (isAdministrator && empty.isPending)) return null;
  if (empty.data !== true) return children;
  return (
    <section className={classes.begin} aria-label={t('home.empty')}>
      <h2>{t('home.empty')}</h2>
      <p>{t('home.emptyText')}</p>
      <ul className={classes.ways}>
        {first !== undefined && (
          <li>
            <Link to="/$workspace/o/$type" params={{ ...params, type: first.object_type }}>
              <Icon name="plus" />
              <strong>{t('home.begin')}</strong>
              <span>{t('home.beginText', { name: first.name ?? first.object_type })}</span>
            </Link>
          </li>
        )}
        <li>
          <Link to="/$workspace/settings/keys" params={params}>
            <Icon name="key" />
            <strong>{t('home.key')}</strong>
            <span>{t('home.keyText')}</span>
          </Link>
        </li>
        <li>
          <a href="/reference">
            <Icon name="globe" />
            <strong>{t('home.describe')}</strong>
            <span>{t('home.describeText')}</span>
          </a>
        </li>
      </ul>
    </section>
  );
}
