// The installation of the peers of this repository: the service in front of a database with one workspace of deals,
// and the facts that the floor needs about it. Removed afterwards.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import type { FloorWork } from '../floor.ts';
import type { FloorProcess } from '../processes.ts';
import { RECORDS_DEFINITION } from '../records-definition.ts';
import { openSite, type Visitor } from '../site.ts';

export interface Stand {
  /** Of the service. */
  readonly url: string;
  /** An administrator of the workspace. */
  readonly visitor: Visitor;
  startFloor(routes: Readonly<Record<string, readonly FloorWork[]>>): Promise<FloorProcess>;
  close(): Promise<void>;
}

export type OpenStand = (settings: NodeJS.ProcessEnv) => Promise<Stand>;

export const SLUG = 'peers';

/** The deals of the large measurements, without people to share them with. */
export async function createDealsWorkspace(db: Database): Promise<void> {
  const { deals } = RECORDS_DEFINITION.objects;
  const users = { 'admin@bench.example': { name: 'Admin', roles: ['admin'] } };
  await createWorkspace(db, { slug: SLUG, document: { name: 'Peers', objects: { deals }, users } });
}

/** The built service over an embedded PostgreSQL of its own. */
export async function openOwnStand(settings: NodeJS.ProcessEnv): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), 'records-peers-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const site = await openSite(folder, false, settings);
    const close = () => site.close().finally(remove);
    try {
      await createDealsWorkspace(site.db);
      const visitor = await site.visit(SLUG);
      return { url: site.service.url, visitor, startFloor: site.startFloor, close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    remove();
    throw error;
  }
}

export async function settle({ visitor }: Stand): Promise<void> {
  const { db } = visitor.context;
  await (db as Database).query({ text: 'vacuum (analyze)', values: [] }, { prepare: false });
}
