// Webhooks follow a definition in its transaction: they name what is renamed by its new key. One that names what is gone
// stays as it is, and breaks when it is to send next.

import { loadKeyedWebhooks, putWebhookKeys } from '../../control/events/webhook-rows.ts';
import { wantRunner } from '../../control/events/webhook-runs.ts';
import { loadModel, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import type { Queryable } from '../../postgres/db.ts';
import type { Change } from '../changes/change.ts';
import { kindOf } from '../changes/kinds/index.ts';
import { renamedKeysOf } from '../changes/renamed-view.ts';
import { renamedWebhook } from '../changes/renamed-webhook.ts';

/** Renames the keys of webhooks, before the definition that has the changes is stored. */
export async function followWebhooks(
  tx: Queryable,
  { id, schema }: Pick<WorkspaceRow, 'id' | 'schema'>,
  changes: readonly Change[],
): Promise<void> {
  const renames = changes.flatMap((change) => kindOf(change).renamesInViews?.(change) ?? []);
  if (renames.length === 0) return;
  const webhooks = await loadKeyedWebhooks(tx, schema);
  const before = webhooks.length === 0 ? undefined : await loadModel(tx, id);
  const renamed = before && renamedKeysOf(before, renames);
  if (renamed === undefined) return;
  for (const webhook of webhooks) {
    const after = renamedWebhook(renamed, webhook);
    if (after !== webhook) await putWebhookKeys(tx, schema, after);
  }
  await wantRunner(tx, id);
}
