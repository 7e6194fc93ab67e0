// Favorites among the views and reports of an object: one list for each person, which a change sends whole, so that it
// begins by reading it.

import type { View } from '@workspace-records/client';
import type { WorkspaceClient } from './session.ts';

export async function favor(
  { client }: WorkspaceClient,
  { id, object_type }: Pick<View, 'id' | 'object_type'>,
  isFavorite: boolean,
): Promise<void> {
  const views: View[] = [];
  for await (const view of client.views.all({ object_type, limit: 100 })) views.push(view);
  await client.views.order({
    object_type,
    view_ids: views.map((view) => view.id),
    default_view_id: views.find(({ is_default }) => is_default)?.id ?? null,
    favorite_view_ids: views
      .filter((view) => (view.id === id ? isFavorite : view.is_favorite))
      .map((view) => view.id),
  });
}
