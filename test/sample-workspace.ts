// The sample definition as a workspace in a database of its own, with its people as callers.

import { loadMemberByEmail } from '../src/control/people/people.ts';
import {
  findWorkspace,
  loadModel,
  type WorkspaceRow,
} from '../src/control/workspace/workspaces.ts';
import type { ObjectModel, WorkspaceModel } from '../src/model/definition/model.ts';
import { accessOf, type Caller, callerOf } from '../src/model/rights/access.ts';
import type { Database } from '../src/postgres/db.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { contentName, createCopy, type OwnDatabase } from './own-database.ts';
import { objectOf, SAMPLE_DOCUMENT, SAMPLE_KEY } from './sample-definition.ts';

export interface SampleWorkspace {
  readonly own: OwnDatabase;
  readonly db: Database;
  readonly model: WorkspaceModel;
  object(objectType: string): ObjectModel;
  /** A person of the sample by first name, with their own roles or with these. */
  caller(name: string, roles?: readonly string[]): Caller;
}

const PEOPLE = ['anna', 'ben', 'cleo', 'dora', 'ian', 'bot'];

/** Make it, of another document too; the caller drops `own` at the end. */
export async function openSampleWorkspace(
  document: unknown = SAMPLE_DOCUMENT,
): Promise<SampleWorkspace> {
  const own = await createCopy(contentName('sample', document), async ({ db }) => {
    await migrate(db);
    await createWorkspace(db, { slug: 'sample', document });
  });
  const { db } = own;
  const { id, schema } = (await findWorkspace(db, 'sample')) as WorkspaceRow;
  const model = await loadModel(db, id);
  if (model === undefined) throw new Error('the workspace was not made');
  const callers = new Map<string, Caller>();
  for (const name of PEOPLE) {
    const member = await loadMemberByEmail(db, schema, `${name}@sample.test`);
    if (member === undefined) throw new Error(`there is no ${name}`);
    callers.set(name, callerOf(model, member, SAMPLE_KEY));
  }
  return {
    own,
    db,
    model,
    object: (objectType) => objectOf(model, objectType),
    caller(name, roles) {
      const caller = callers.get(name);
      if (caller === undefined) throw new Error(`there is no ${name}`);
      return roles === undefined ? caller : { ...caller, access: accessOf(model, roles) };
    },
  };
}
