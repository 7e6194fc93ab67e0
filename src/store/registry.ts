// The models of the workspaces in memory: loaded once, shared by all requests, never older than a
// second (D80). It decides nothing; what a model is, compile.ts says.

import { LRUCache } from 'lru-cache';
import type { WorkspaceModel } from '../model/model.ts';
import type { Queryable } from './db.ts';
import { loadModel, loadRevision } from './workspaces.ts';

export interface Registry {
  /** The model in force at most 900 ms ago; the same object while its revision is. */
  model(workspaceId: number): Promise<WorkspaceModel>;
  /** Look again at the next use: the definition has changed. */
  forget(workspaceId: number): void;
}

interface Entry {
  readonly model: WorkspaceModel;
  readonly checkedAt: number;
}

const MODELS = 2000;
/** Milliseconds between two looks at the revision: below the second that D14 promises. */
const RECHECK_AFTER = 900;

/** `now` counts milliseconds and never goes back. */
export function openRegistry(db: Queryable, now: () => number = () => performance.now()): Registry {
  const entries = new LRUCache<number, Entry>({ max: MODELS });
  const pending = new Map<number, Promise<WorkspaceModel>>();

  function refresh(workspaceId: number): Promise<WorkspaceModel> {
    const checkedAt = now();
    const load = loadPresent(db, workspaceId, entries.get(workspaceId)?.model)
      .then((model) => {
        // After a `forget` during the load, what it brought may be old already.
        if (pending.get(workspaceId) === load) entries.set(workspaceId, { model, checkedAt });
        return model;
      })
      .finally(() => {
        if (pending.get(workspaceId) === load) pending.delete(workspaceId);
      });
    pending.set(workspaceId, load);
    return load;
  }

  return {
    async model(workspaceId) {
      const entry = entries.get(workspaceId);
      if (entry !== undefined && now() - entry.checkedAt < RECHECK_AFTER) return entry.model;
      return pending.get(workspaceId) ?? refresh(workspaceId);
    },
    forget(workspaceId) {
      const entry = entries.get(workspaceId);
      if (entry !== undefined) entries.set(workspaceId, { ...entry, checkedAt: -Infinity });
      pending.delete(workspaceId);
    },
  };
}

/** The known model when its revision is still in force, else a new one. */
async function loadPresent(
  db: Queryable,
  workspaceId: number,
  known: WorkspaceModel | undefined,
): Promise<WorkspaceModel> {
  if (known !== undefined && (await loadRevision(db, workspaceId)) === known.revision) {
    return known;
  }
  const model = await loadModel(db, workspaceId);
  if (model === undefined) throw new Error(`there is no workspace ${workspaceId}`);
  return model;
}
