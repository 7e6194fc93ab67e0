// The models of the workspaces in memory: loaded once, shared by all requests, checked again after a change
// (changes.ts). compile.ts makes the models.

import { LRUCache } from 'lru-cache';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';
import { loadModel, loadRevision } from './workspaces.ts';

export interface Registry {
  /** The model in force when it was last forgotten or later; the same object while its revision is. */
  model(workspaceId: number): Promise<WorkspaceModel>;
  /** Look at the revision at the next use: something in the workspace has changed. */
  forget(workspaceId: number): void;
  /** Load every model again: the database may have lost even a revision that was in force. */
  forgetAll(): void;
}

interface Entry {
  readonly model: WorkspaceModel;
  readonly isForgotten: boolean;
}

const MODELS = 2000;

export function openRegistry(db: Queryable): Registry {
  const entries = new LRUCache<number, Entry>({ max: MODELS });
  const pending = new Map<number, Promise<WorkspaceModel>>();

  function refresh(workspaceId: number): Promise<WorkspaceModel> {
    const load = loadPresent(db, workspaceId, entries.get(workspaceId)?.model)
      .then((model) => {
        // After a `forget` during the load, its result may be stale already.
        if (pending.get(workspaceId) === load) {
          entries.set(workspaceId, { model, isForgotten: false });
        }
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
      if (entry?.isForgotten === false) return entry.model;
      return pending.get(workspaceId) ?? refresh(workspaceId);
    },
    forget(workspaceId) {
      const entry = entries.get(workspaceId);
      if (entry !== undefined) entries.set(workspaceId, { ...entry, isForgotten: true });
      pending.delete(workspaceId);
    },
    forgetAll() {
      entries.clear();
      pending.clear();
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
