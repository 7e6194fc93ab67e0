// `workspaces clone`: a copy of a workspace on the same server. The export goes into the restore without a file.

import type { Command } from 'commander';
import { openFileStore } from '../../files/file-store.ts';
import { requireSlug } from '../../workspaces/create-workspace.ts';
import { exportWorkspace } from '../../workspaces/workspace-export.ts';
import { type Restored, restoreWorkspace } from '../../workspaces/workspace-restore.ts';
import { counted, secondsSince, watchRows } from '../export-output.ts';
import { tell } from '../say.ts';
import { readRelease } from '../service/release.ts';
import { withWorkspace } from '../with-workspace.ts';

export function addCloneCommand(workspaces: Command): void {
  workspaces
    .command('clone')
    .description('Copy a workspace, as it is at this moment, without its API keys and sessions.')
    .argument('<slug>', 'the workspace')
    .argument('<new-slug>', 'the slug of the copy: a-z, 0-9 and "-"')
    .action(clone);
}

async function clone(slug: string, newSlug: string): Promise<void> {
  requireSlug(newSlug);
  const { onRows, finish } = watchRows(`Copying ${slug}`);
  const started = performance.now();
  await withWorkspace(slug, async (db, workspace, config) => {
    const store = openFileStore(config);
    const options = { release: readRelease().version, withoutKeys: true, store };
    let copy: Restored | undefined;
    await exportWorkspace(db, workspace, options, async (pieces) => {
      copy = await restoreWorkspace(db, pieces, { ...options, slug: newSlug, onRows });
    });
    finish();
    const { id, records } = { id: copy?.workspace.id, records: copy?.records ?? 0 };
    tell(
      `Copied "${slug}" to "${newSlug}" (id ${id}): ${counted(records, 'record')} ` +
        `(${secondsSince(started)} s).\n`,
    );
  });
}
