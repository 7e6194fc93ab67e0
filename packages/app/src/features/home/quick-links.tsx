// The person's favorite views, which come with the session, and the dashboards: as links, without figures.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dashboardNamesQuery } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { favoritesQuery } from '../../lib/saved-views.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import classes from './home-page.module.css';

/** The most links of each kind; the navigation and the page of reports have all of them. */
const MOST = 8;

export function QuickLinks() {
  const t = useT();
  const session = useSession();
  const { workspace } = session;
  const objects = useObjects();
  const { data: favorites = [] } = useQuery(favoritesQuery(session));
  const { data: dashboards = [] } = useQuery(dashboardNamesQuery(session));
  if (favorites.length + dashboards.length === 0) return null;
  return (
    <nav aria-label={t('home.quick')} className={classes.quick}>
      <ul>
        {favorites.slice(0, MOST).map(({ id, object_type: type, name }) => {
          const object = objects.find(({ object_type }) => object_type === type);
          return (
            <li key={id}>
              <Link to="/$workspace/o/$type" params={{ workspace, type }} search={{ view: id }}>
                <Icon name={object === undefined ? 'star' : iconOf(object)} size={14} />
                <span>{name}</span>
              </Link>
            </li>
          );
        })}
        {dashboards.slice(0, MOST).map(({ id, name }) => (
          <li key={id}>
            <Link to="/$workspace/dashboards/$id" params={{ workspace, id }}>
              <Icon name="dashboard" size={14} />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
