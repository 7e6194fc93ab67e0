// Changes views with a definition, in its transaction: renamed keys are replaced, and views of a removed object are
// deleted.

import {
  deleteViewsOf,
  loadKeyedViews,
  putViewKeys,
  renameViewOrders,
} from '../../control/stored/view-rows.ts';
import { loadModel, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import type { Queryable } from '../../postgres/db.ts';
import type { Change } from '../changes/change.ts';
import { kindOf } from '../changes/kinds/index.ts';
import { renamedKeysOf, renamedView } from '../changes/renamed-view.ts';

/** Renames the keys of views and deletes views of removed objects, before the new definition is stored. */
export async function followViews(
  tx: Queryable,
  { id, schema }: Pick<WorkspaceRow, 'id' | 'schema'>,
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes) {
    const deleted = kindOf(change).deletesViews?.(change);
    if (deleted !== undefined) await deleteViewsOf(tx, schema, deleted);
  }
  const renames = changes.flatMap((change) => kindOf(change).renamesInViews?.(change) ?? []);
  const before = renames.length === 0 ? undefined : await loadModel(tx, id);
  const renamed = before && renamedKeysOf(before, renames);
  if (renamed === undefined) return;
  for (const view of await loadKeyedViews(tx, schema)) {
    const after = renamedView(renamed, view);
    if (after !== view) await putViewKeys(tx, schema, after);
  }
  for (const [from, to] of renamed.objects) await renameViewOrders(tx, schema, from, to);
}
