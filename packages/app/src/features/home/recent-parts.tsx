// The records and the views that were opened last in this tab.

import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { recentRecords, recentViews } from '../../lib/recent.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import classes from './home-page.module.css';

export function RecentRecords() {
  const t = useT();
  const { workspace } = useSession();
  const objects = useObjects();
  const [records] = useState(() => recentRecords(workspace));
  if (records.length === 0) return null;
  return (
    <Recent title={t('home.recent')}>
      {records.map(({ type, id, display }) => {
        const object = objects.find(({ object_type }) => object_type === type);
        return (
          <li key={id} className={classes.row}>
            <Link
              to="/$workspace/o/$type/$id"
              params={{ workspace, type, id }}
              className={classes.work}
            >
              <Icon name={object === undefined ? 'box' : iconOf(object)} />
              <span className={classes.display}>{display}</span>
              <span className={classes.kind}>{object?.singular_name ?? type}</span>
            </Link>
          </li>
        );
      })}
    </Recent>
  );
}

export function RecentViews() {
  const t = useT();
  const { workspace } = useSession();
  const objects = useObjects();
  const [views] = useState(() => recentViews(workspace));
  if (views.length === 0) return null;
  return (
    <Recent title={t('home.recentViews')}>
      {views.map(({ type, name, search }) => {
        const object = objects.find(({ object_type }) => object_type === type);
        const ofObject = object?.name ?? type;
        return (
          <li key={`${type} ${JSON.stringify(search)}`} className={classes.row}>
            <Link
              to="/$workspace/o/$type"
              params={{ workspace, type }}
              search={search}
              className={classes.work}
            >
              <Icon name={search.layout === 'board' ? 'board' : 'table'} />
              <span className={classes.display}>{name ?? t('home.filtered')}</span>
              <span className={classes.kind}>{ofObject}</span>
            </Link>
          </li>
        );
      })}
    </Recent>
  );
}

function Recent({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.heading}>
          {title}
        </h2>
      </div>
      <ul className={classes.rows}>{children}</ul>
    </section>
  );
}
