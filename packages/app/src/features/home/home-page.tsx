// The first page: what waits for the person, what was opened last, and the ways to everything else.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { recentRecords } from '../../lib/recent.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { Page } from '../../ui/page.tsx';
import { FirstRun } from './first-run.tsx';
import classes from './home-page.module.css';
import { Mentions } from './mentions.tsx';
import { OpenWork } from './open-work.tsx';
import { RecordLink } from './record-link.tsx';

export default function HomePage() {
  const t = useT();
  const { me } = useSession();
  const readable = useObjects().filter(({ permissions }) => permissions.read.allowed);
  const name = me.user.name ?? me.user.email ?? '';
  return (
    <Page title={t('nav.home')}>
      <p className={classes.greeting}>{t('home.greeting', { name })}</p>
      {readable.length === 0 ? (
        <EmptyState title={t('home.nothing')} text={t('home.askText')} />
      ) : (
        <>
          <FirstRun objects={readable} />
          <Mentions />
          <OpenWork objects={readable} />
          <Recent />
          <h2 className={classes.heading}>{t('home.objects')}</h2>
        </>
      )}
      <ul className={classes.objects}>
        {readable.map((object) => (
          <li key={object.object_type}>
            <Link
              to="/$workspace/o/$type"
              params={{ workspace: me.workspace.slug, type: object.object_type }}
              className={classes.object}
            >
              <Icon name={iconOf(object)} />
              {object.name ?? object.object_type}
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}

function Recent() {
  const t = useT();
  const { workspace } = useSession();
  const objects = useObjects();
  const [records] = useState(() => recentRecords(workspace));
  if (records.length === 0) return null;
  return (
    <>
      <h2 className={classes.heading}>{t('home.recent')}</h2>
      <ul className={classes.records}>
        {records.map((record) => {
          const object = objects.find(({ object_type }) => object_type === record.type);
          return (
            <li key={record.id}>
              <RecordLink {...record} object={object}>
                <span className={classes.kind}>{object?.singular_name ?? record.type}</span>
              </RecordLink>
            </li>
          );
        })}
      </ul>
    </>
  );
}
