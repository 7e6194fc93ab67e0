// The favorite views of the person, above the objects.

import { useQuery } from '@tanstack/react-query';
import { Link, useMatch } from '@tanstack/react-router';
import { useT } from '../lib/messages/index.ts';
import { favoritesQuery } from '../lib/saved-views.ts';
import { useObjects } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { iconOf } from '../ui/object-icon.ts';
import classes from './navigation.module.css';
import { Content, Entry } from './navigation-entry.tsx';

export function Favorites({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const t = useT();
  const session = useSession();
  const { data: favorites = [] } = useQuery(favoritesQuery(session));
  const objects = useObjects();
  const viewId = useMatch({
    ...{ from: '/$workspace/shell/o/$type', shouldThrow: false },
    select: ({ search }) => search.view,
  });
  if (favorites.length === 0) return null;
  return (
    <>
      <h2 className={classes.heading}>{t('views.favorites')}</h2>
      {favorites.map(({ id, object_type: type, name }) => {
        const object = objects.find(({ object_type }) => object_type === type);
        return (
          <Entry key={id} name={name} isCollapsed={isCollapsed}>
            <Link
              to="/$workspace/o/$type"
              params={{ workspace: session.workspace, type }}
              search={{ view: id }}
              className={classes.entry}
              // The router would mark only the exact address; the entry also stands for its view with changes.
              activeOptions={{ exact: true }}
              data-favorite
              aria-current={id === viewId ? 'page' : undefined}
              aria-label={name}
            >
              <Content icon={object === undefined ? 'star' : iconOf(object)} name={name} />
            </Link>
          </Entry>
        );
      })}
    </>
  );
}
