// The data that changes of a definition rebuild while clients write: search rows, and values in another place, of
// another type or with other names. How it is done is in data-builds.ts.

import { loadLeftovers } from '../../../control/stored/leftover-rows.ts';
import { freshName } from '../../../model/definition/storage-names.ts';
import type { Database, Queryable } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import { indexesOf } from '../../../sql/write/index-sql.ts';
import { clearSearchSql } from '../../../sql/write/search-rows-sql.ts';
import { kindOf } from '../../changes/kinds/index.ts';
import { describeBuild, type SearchBuild, searchBuildOf } from '../../changes/search-build.ts';
import { describeValues, type ValueBuild, valueBuildsOf } from '../../changes/value-build.ts';
import { addColumnSql, type BuiltValue, fillPageSql, fillSql } from '../../changes/value-sql.ts';
import type { FoundChanges } from '../compare-documents.ts';
import { lockTable } from '../lock-tables.ts';
import {
  type Building,
  type BuiltData,
  buildData,
  type DataBuild,
  findBuild,
} from './data-builds.ts';
import { buildEach, buildIndex } from './index-builds.ts';
import { addPage, replaceRows } from './search-index.ts';

/** Records whose values are rebuilt in one transaction. */
const PAGE = 500;

/** The data to rebuild. */
export interface DataToBuild {
  readonly searches: readonly SearchBuild[];
  readonly values: readonly ValueBuild[];
}

/** The rebuilt data. */
export interface Built {
  readonly data: readonly BuiltData[];
  readonly values: readonly BuiltValue[];
}

export const NOTHING_BUILT: Built = Object.freeze({ data: [], values: [] });

export function buildsOf({ changes, renamed, after }: FoundChanges): DataToBuild {
  const searches = changes
    .flatMap((change) => kindOf(change).rebuildsSearch?.(change) ?? [])
    .filter(({ object }) => object.searched.length > 0)
    .map(({ object, from }) => searchBuildOf(object, from, renamed));
  return { searches, values: valueBuildsOf(changes, after, renamed) };
}

export async function buildAll(
  building: Building,
  { searches, values }: DataToBuild,
  trigrams: string | undefined,
): Promise<Built> {
  const { schema } = building.workspace;
  const data: BuiltData[] = [];
  const built: BuiltValue[] = [];
  for (const build of values) {
    const value = await placeValue(building, build);
    const work = valueData(schema, value, { trigrams, signal: building.signal });
    data.push(await buildData(building, work));
    built.push(value);
  }
  for (const build of searches) data.push(await buildData(building, searchData(schema, build)));
  return { data, values: built };
}

function searchData(schema: string, build: SearchBuild): DataBuild {
  const { object_type, object } = build;
  const { search_name: name, table } = object;
  return {
    ...{ about: describeBuild(build), object_type, table },
    target: { kind: 'search', table_name: null, name },
    addPage: (tx, place) => addPage(tx, schema, build, place),
    replace: (tx, ids) => replaceRows(tx, schema, build, ids),
    clear: async (tx) => void (await runOnce(tx, clearSearchSql(schema, name))),
  };
}

/** The new definition says where. A status has a column of its own until it takes the place of the old one. */
async function placeValue({ db, workspace }: Building, build: ValueBuild): Promise<BuiltValue> {
  const { object, field, statuses } = build;
  if (statuses.length === 0) {
    const isColumn = field.storage === 'physical';
    const indexes = isColumn
      ? indexesOf(object).filter(({ column }) => column === field.column)
      : [];
    return { build, name: isColumn ? field.column : field.custom_key, indexes };
  }
  const leftovers = await loadLeftovers(db, workspace.schema);
  const known = findBuild(leftovers, describeValues(build), workspace);
  const taken = leftovers.filter(({ table_name }) => table_name === object.table);
  const names = new Set([field.column, ...taken.map(({ name }) => name)]);
  return { build, name: known?.name ?? freshName(field.column, names), indexes: [] };
}

interface ValueOptions {
  readonly trigrams: string | undefined;
  readonly signal: AbortSignal | undefined;
}

function valueData(schema: string, value: BuiltValue, options: ValueOptions): DataBuild {
  const { build, name, indexes } = value;
  const { object_type, object, field } = build;
  const { table } = object;
  const isColumn = field.storage === 'physical';
  return {
    ...{ about: describeValues(build), object_type, table },
    target: { kind: isColumn ? 'column' : 'custom', table_name: table, name },
    async prepare(db) {
      if (isColumn) await addColumn(db, schema, value);
    },
    async addPage(tx, place) {
      const [row] = await runOnce(tx, fillPageSql(schema, value, { ...place, limit: PAGE }));
      return (row?.last ?? undefined) as string | undefined;
    },
    async complete(db) {
      const possible = indexes.filter(
        ({ kind }) => kind !== 'text' || options.trigrams !== undefined,
      );
      await buildEach(db, schema, possible, (index) => buildIndex(db, schema, index, options));
    },
    replace: async (tx, ids) => void (await runOnce(tx, fillSql(schema, value, ids))),
  };
}

async function addColumn(db: Database, schema: string, value: BuiltValue): Promise<void> {
  await db.transaction(async (tx: Queryable) => {
    await lockTable(tx, schema, value.build.object.table);
    await runOnce(tx, addColumnSql(schema, value));
  });
}
