// A workspace with one table of 10 MB: few rows, but too many bytes for a build of an index that blocks.

import { mergePatch } from '../src/model/definition/definition.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import type { OwnDatabase } from './own-database.ts';

const cars = {
  name: 'Cars',
  singular_name: 'Car',
  owned: false,
  searchable: false,
  fields: { code: { type: 'text' }, filler: { type: 'text', maxLength: 2000 } },
};

export const CARS = { objects: { cars } };

/** The document with a field of the cars that is new or different. */
export function carsWith(key: string, patch: unknown): unknown {
  return mergePatch(CARS, { objects: { cars: { fields: { [key]: patch } } } });
}

/** Make it, with so many cars of so many characters. */
export async function createCars(
  own: OwnDatabase,
  slug: string,
  {
    rows = 5000,
    filler = 1900,
  }: { readonly rows?: number | undefined; readonly filler?: number | undefined } = {},
): Promise<void> {
  const { schema } = await createWorkspace(own.db, { slug, document: CARS });
  await own.rows(
    `insert into "${schema}".cars (id, created_by_user_id, code, filler)
      select gen_random_uuid(), 1, 'c' || n, repeat('x', $2) from generate_series(1, $1::integer) n`,
    [rows, filler],
  );
}
