// Failures of a statement that was compiled for a definition that is no longer in force: a column it names
// may have been dropped. The request is planned again (http/route/pipeline.ts).

import { loadRevision } from '../../control/workspace/workspaces.ts';
import { definitionChanged } from '../../errors.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';

/**
 * An error that the definition has changed, when another revision is in force than that of the model; else the error
 * itself.
 */
export async function explainByRevision(
  db: Queryable,
  model: WorkspaceModel,
  error: Error,
): Promise<Error> {
  const present = await loadRevision(db, model.workspace.id);
  return present === model.revision ? error : definitionChanged(error);
}
