// Records for tests without HTTP: written by an administrator the way imports are, so that owner,
// author and status can be anybody's and anything.

import { loadMemberByEmail } from '../../src/control/people/people.ts';
import { findWorkspace, loadModel } from '../../src/control/workspace/workspaces.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { ObjectModel, WorkspaceModel } from '../../src/model/definition/model.ts';
import { callerOf } from '../../src/model/rights/access.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database } from '../../src/postgres/db.ts';

export interface Seeding {
  readonly model: WorkspaceModel;
  /** The ids of the records, in the order of the operations. */
  write(objectType: string, operations: readonly WriteOperation[]): Promise<readonly string[]>;
  comment(objectType: string, id: string, body: string): Promise<void>;
}

/** Write to a workspace as this administrator. */
export async function openSeeding(db: Database, slug: string, email: string): Promise<Seeding> {
  const { id, schema } = (await findWorkspace(db, slug)) ?? { id: 0, schema: '' };
  const model = await loadModel(db, id);
  const member = await loadMemberByEmail(db, schema, email);
  if (model === undefined || member === undefined) throw new Error(`no ${email} in ${slug}`);
  const caller = callerOf(model, member, { kind: 'import' });
  const context = { db, model, caller, requestId: null };
  const objectOf = (type: string) => model.objects.get(type) as ObjectModel;
  return {
    model,
    async write(objectType, operations) {
      const request = { operations, source: 'import', batch: false, answered: [] } as const;
      const { results } = await writeRecords(context, objectOf(objectType), request);
      return results.map((result) => result.id);
    },
    async comment(objectType, id, body) {
      const operations = [{ action: 'comment', id, body }] as const;
      const request = { operations, source: 'api', batch: false, answered: [] } as const;
      await writeRecords(context, objectOf(objectType), request);
    },
  };
}
