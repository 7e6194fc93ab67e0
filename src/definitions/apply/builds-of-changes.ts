// What the changes of a definition rebuild while clients write: search rows, and values in another place, of
// another type or with other names. How it is done is in data-builds.ts.

import { loadLeftovers } from '../../control/leftover-rows.ts';
import { freshName } from '../../model/storage-names.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { indexesOf, type TableIndex } from '../../sql/index-sql.ts';
import { clearSearchSql } from '../../sql/search-rows-sql.ts';
import { describeBuild, type SearchBuild, searchBuildOf } from '../changes/search-build.ts';
import { describeValues, type ValueBuild, valueBuildsOf } from '../changes/value-build.ts';
import { addColumnSql, type BuiltValue, fillPageSql, fillSql } from '../changes/value-sql.ts';
import {
  type Building,
  type BuiltData,
  buildData,
  type DataBuild,
  findBuild,
} from './data-builds.ts';
import type { FoundChanges } from './definition-plan.ts';
import { buildIndex } from './index-builds.ts';
import { lockTable } from './lock-tables.ts';
import { addPage, replaceRows } from './search-index.ts';
import { loadColumns } from './workspace-tables.ts';

/** Records whose values are rebuilt in one transaction. */
const PAGE = 500;

export interface Wanted {
  readonly searches: readonly SearchBuild[];
  readonly values: readonly ValueBuild[];
}

/** The rebuilt data. */
export interface Built {
  readonly data: readonly BuiltData[];
  readonly values: readonly BuiltValue[];
}

export const NOTHING_BUILT: Built = Object.freeze({ data: [], values: [] });

export function buildsOf({ changes, renamed, after }: FoundChanges): Wanted {
  const searches = changes.flatMap((change) =>
    change.kind === 'index_search' && change.object.searched.length > 0
      ? [searchBuildOf(change.object, change.from, renamed)]
      : [],
  );
  return { searches, values: valueBuildsOf(changes, after, renamed) };
}

export async function buildAll(
  building: Building,
  { searches, values }: Wanted,
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
  const { object_type, table, object } = build;
  const { search_name: name } = object;
  return {
    ...{ about: describeBuild(build), object_type, table },
    target: { kind: 'search', table_name: null, name },
    addPage: (tx, place) => addPage(tx, schema, build, place),
    replace: (tx, ids) => replaceRows(tx, schema, build, ids),
    clear: async (tx) => void (await runOnce(tx, clearSearchSql(schema, name))),
  };
}

/** A key that the new definition has for it, or a column that gets its name in the end. */
async function placeValue({ db, workspace }: Building, build: ValueBuild): Promise<BuiltValue> {
  const { object, field, table } = build;
  if (field.storage === 'jsonb') return { build, name: field.custom_key, indexes: [] };
  const known = findBuild(
    await loadLeftovers(db, workspace.schema),
    describeValues(build),
    workspace,
  );
  const columns = await loadColumns(db, workspace.schema, table);
  const name = known?.name ?? freshName(field.column, new Set([...columns, field.column]));
  return { build, name, indexes: indexesAfter(build, object.fields, name) };
}

/** By their place among those of the object, which has one column with another name. */
function indexesAfter(
  { object, field, table }: ValueBuild,
  fields: ReadonlyMap<string, unknown>,
  name: string,
): BuiltValue['indexes'] {
  if (!fields.has(field.key)) return [];
  const changed = { ...field, column: name };
  const meanwhile = { ...object, fields: new Map([...object.fields, [field.key, changed]]) };
  const names = indexesOf(meanwhile);
  return indexesOf(object).flatMap((index, at) => {
    if (index.column !== field.column) return [];
    const built: TableIndex = { ...(names[at] as TableIndex), table };
    return [{ built, index }];
  });
}

interface ValueOptions {
  readonly trigrams: string | undefined;
  readonly signal: AbortSignal | undefined;
}

function valueData(schema: string, value: BuiltValue, options: ValueOptions): DataBuild {
  const { build, name, indexes } = value;
  const { object_type, table, field } = build;
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
        ({ built }) => built.kind !== 'text' || options.trigrams !== undefined,
      );
      for (const { built } of possible) await buildIndex(db, schema, built, options);
    },
    replace: async (tx, ids) => void (await runOnce(tx, fillSql(schema, value, ids))),
  };
}

async function addColumn(db: Database, schema: string, value: BuiltValue): Promise<void> {
  await db.transaction(async (tx: Queryable) => {
    await lockTable(tx, schema, value.build.table);
    await runOnce(tx, addColumnSql(schema, value));
  });
}
