// The rows that the search index has of an object, and those that it would have if they were rebuilt.

import { expect } from 'vitest';
import { loadModel } from '../src/control/workspace/workspaces.ts';
import { rebuildSearch } from '../src/definitions/apply/prepare/search-index.ts';
import type { ObjectModel, WorkspaceModel } from '../src/model/definition/model.ts';
import type { Queryable } from '../src/postgres/db.ts';
import { identifier, sql, toStatement } from '../src/sql/sql.ts';

export interface Present {
  readonly model: WorkspaceModel;
  readonly object: ObjectModel;
}

export async function loadPresent(
  db: Queryable,
  workspaceId: number,
  objectType: string,
): Promise<Present> {
  const model = (await loadModel(db, workspaceId)) as WorkspaceModel;
  return { model, object: model.objects.get(objectType) as ObjectModel };
}

/** They are equal; no writes run meanwhile. */
export async function requireSearchRows(
  db: Queryable,
  { model, object }: Present,
): Promise<number> {
  const rows = () =>
    db.query(
      toStatement(
        sql`select record_id, source, place, text, reach_user_id, created_at, words::text
          from ${identifier(model.schema, '_search')}
          where split_part(source, '.', 1) = ${object.search_name}::text order by 1, 2, 3, 4`,
      ),
    );
  const found = await rows();
  await rebuildSearch(db, model.schema, object);
  expect(found).toEqual(await rows());
  return found.length;
}

/** Names that rows of the index begin with. */
export async function loadSearchNames(db: Queryable, schema: string): Promise<readonly unknown[]> {
  const rows = await db.query(
    toStatement(
      sql`select distinct split_part(source, '.', 1) as name
        from ${identifier(schema, '_search')} order by 1`,
    ),
  );
  return rows.map(({ name }) => name);
}
