// Writes of saved views, and their effect on the cached list of them.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Client, isRecordsError, type View } from '@workspace-records/client';
import { favor } from '../../../lib/favorites.ts';
import { useT } from '../../../lib/messages/index.ts';
import { favoritesQuery, viewsQuery } from '../../../lib/saved-views.ts';
import { useSession } from '../../../lib/session.ts';
import { problemText } from '../../../ui/problem.tsx';
import { showToast } from '../../../ui/toast.ts';

export type NewView = Omit<Parameters<Client['views']['create']>[0], 'object_type'>;
export type ViewChanges = Parameters<Client['views']['update']>[1];

interface Removal {
  readonly view: View;
  /** Opens another one, before the list learns that this one is gone. */
  readonly leave: () => Promise<void>;
}

export function useViewWrites(type: string) {
  const session = useSession();
  const queries = useQueryClient();
  const { client } = session;
  const { queryKey } = viewsQuery(session, type);
  const put = (change: (views: readonly View[]) => readonly View[]) =>
    queries.setQueryData(queryKey, (views: View[] | undefined = []) => [...change(views)]);
  const rereadFavorites = () =>
    void queries.invalidateQueries({ queryKey: favoritesQuery(session).queryKey });
  const onError = useTellFailure(() => queries.invalidateQueries({ queryKey }));
  const create = useMutation({
    mutationFn: (view: NewView) => client.views.create({ ...view, object_type: type }),
    onSuccess: (made) => put((views) => [...views, made]),
  });
  const copy = useMutation({
    mutationFn: ({ id }: View) => client.views.copy(id),
    onSuccess: (made) => put((views) => [...views, made]),
    onError,
  });
  const update = useMutation({
    mutationFn: ({ id, version, changes }: { id: string; version: string; changes: ViewChanges }) =>
      client.views.update(id, changes, { version }),
    onSuccess(changed) {
      put((views) => views.map((one) => (one.id === changed.id ? changed : one)));
      rereadFavorites();
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: ({ view: { id } }: Removal) => client.views.delete(id),
    async onSuccess(_, { view: { id }, leave }) {
      await leave();
      put((views) => views.filter((one) => one.id !== id));
      rereadFavorites();
    },
    onError,
  });
  const order = useMutation({
    mutationFn: ({ ids, opensFirst }: { ids: readonly string[]; opensFirst: string | null }) =>
      client.views.order({ object_type: type, view_ids: ids, default_view_id: opensFirst }),
    onSuccess: ({ view_ids, default_view_id }) =>
      put((views) => {
        const known = view_ids.flatMap((id) => views.find((one) => one.id === id) ?? []);
        const others = views.filter(({ id }) => !view_ids.includes(id));
        return [...known, ...others].map((one) => ({
          ...one,
          is_default: one.id === default_view_id,
        }));
      }),
    onError,
  });
  const favor = useFavor(type, { put, onError });
  return { create, copy, update, remove, order, favor };
}

interface FavorParts {
  readonly put: (change: (views: readonly View[]) => readonly View[]) => void;
  readonly onError: (error: Error) => void;
}

function useFavor(type: string, { put, onError }: FavorParts) {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isFavorite }: Favoring) =>
      favor(session, { id, object_type: type }, isFavorite),
    onSuccess(_, { id, isFavorite }) {
      put((views) =>
        views.map((view) => (view.id === id ? { ...view, is_favorite: isFavorite } : view)),
      );
      void queries.invalidateQueries({ queryKey: favoritesQuery(session).queryKey });
    },
    onError,
  });
}

interface Favoring {
  readonly id: string;
  readonly isFavorite: boolean;
}

/** Somebody else has changed it, or it is gone: what there is now is read. */
function useTellFailure(reread: () => Promise<unknown>) {
  const t = useT();
  return (error: Error) => {
    const isStale = isRecordsError(error, 'stale_record');
    const text = isStale ? t('views.stale') : problemText(error, t);
    showToast({ text, isProblem: true });
    if (isStale || (isRecordsError(error) && error.status === 404)) void reread();
  };
}
