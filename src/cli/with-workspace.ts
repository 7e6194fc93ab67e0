// Commands about one workspace: connect, find it, do the work, disconnect.

import type { Config } from '../config.ts';
import { findWorkspace, type WorkspaceRow } from '../control/workspace/workspaces.ts';
import { operatorError } from '../errors.ts';
import type { Database } from '../postgres/db.ts';
import { connect } from './connect.ts';

export async function withWorkspace(
  slug: string,
  work: (db: Database, workspace: WorkspaceRow, config: Config) => Promise<void>,
): Promise<void> {
  const { db, close, config } = await connect({ purpose: 'command' });
  try {
    const workspace = await findWorkspace(db, slug);
    if (workspace === undefined) {
      throw operatorError(`There is no workspace "${slug}"; "workspaces list" shows all.`);
    }
    await work(db, workspace, config);
  } finally {
    await close();
  }
}
