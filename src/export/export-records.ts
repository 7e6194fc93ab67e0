// Exports the records of one object, those a filter selects, as they are at one moment: plan → cursor → lines or
// cells, a thousand rows at a time. The caller decides where the bytes go.

import { loadEmails } from '../control/people/people.ts';
import { momentWithin } from '../control/process/moments.ts';
import { requireModel, type WorkspaceRow } from '../control/workspace/workspaces.ts';
import { ApiError, operatorError } from '../errors.ts';
import { requireContactFields } from '../model/definition/contact-fields.ts';
import {
  type Field,
  type ObjectModel,
  STATUS_ALIAS_KEY,
  type WorkspaceModel,
} from '../model/definition/model.ts';
import { plainKey } from '../model/definition/storage-key.ts';
import { systemField } from '../model/definition/system-fields.ts';
import type { Caller } from '../model/rights/access.ts';
import { canReadField, findRelationship, knowsDirectory } from '../model/rights/access.ts';
import { nearestName } from '../model/text/nearest-name.ts';
import type { ReaderRights } from '../plan/people/reader-rights.ts';
import { basePlan, type ReadPlan, readableFields, requireObject } from '../plan/read/read-plan.ts';
import { parseRecordQuery, type QuerySource, type SortInput } from '../plan/read/record-query.ts';
import { planSelected } from '../plan/read/selected-plan.ts';
import { conditionsOf } from '../plan/read/where.ts';
import { AUTHOR_FIELD } from '../plan/write/write-fields.ts';
import { type Database, isDatabaseError, type Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { countRowsSql, declareCursorSql, FETCH_SQL } from '../sql/read/cursor-sql.ts';
import { countPairsSql, declarePairsSql } from '../sql/read/link-pairs-sql.ts';
import { type Sql, sql, toStatement } from '../sql/sql.ts';
import { type Reader, requireReader } from './reader.ts';
import { openReferenceNames, type ReferenceNames } from './reference-names.ts';
import { refusalInWords } from './refusal.ts';
import { cardPieces } from './row-cards.ts';
import { sheetPieces } from './row-sheet.ts';
import { type Layout, type RowBatch, textPieces } from './row-text.ts';

export interface RecordExport {
  readonly workspace: Pick<WorkspaceRow, 'id' | 'slug'>;
  readonly objectType: string;
  readonly format: Layout['format'];
  readonly raw: boolean;
  readonly bom?: boolean | undefined;
  /** True: people by their ids, as records have them, and not by their addresses. */
  readonly userIds?: boolean | undefined;
  /** True: CSV or Excel with labels of options and names of records. */
  readonly names?: boolean | undefined;
  /** The person with whose rights the export reads; undefined: it reads everything. */
  readonly as: Reader | undefined;
  readonly filters: QuerySource['filters'];
  readonly text: string | undefined;
  /** A condition as questions have it. */
  readonly where?: unknown;
  /** The time zone of the days, weeks and months in the condition. */
  readonly timezone?: string | undefined;
  /** The links of this relationship between the records, instead of the records themselves. */
  readonly relationship?: string | undefined;
  /** Keys, with or without `custom_fields.`; everything that can be read when left out. */
  readonly fields: readonly string[] | undefined;
  readonly sort: readonly SortInput[];
  /** Called before the first row. */
  readonly onStart?: (start: ExportStart) => Promise<void>;
  /** Called now and then with the number of rows written, of the total. */
  readonly onRows?: (done: number, total: number) => void;
}

/** The reader whose rights the export has, the objects it is about, and the moment that it shows. */
export interface ExportStart {
  readonly reading: ReaderRights;
  readonly objects: readonly ObjectModel[];
  readonly moment: string;
}

export interface ExportedRecords {
  readonly rows: number;
  /** Requested fields that the person may not read. */
  readonly left_out: readonly string[];
}

/** `write` gets the whole file in pieces. Problems of the request are operator errors. */
export async function exportRecords(
  db: Database,
  request: RecordExport,
  write: (pieces: AsyncIterable<string | Uint8Array>) => Promise<void>,
): Promise<ExportedRecords> {
  try {
    // Not repeated, whatever the database says: what was written would be written twice.
    return await db.copying(async (tx) => {
      await runOnce(tx, sql`set transaction isolation level repeatable read, read only`);
      return exportFrom(tx, request, write);
    });
  } catch (error) {
    throw explain(error);
  }
}

async function exportFrom(
  tx: Queryable,
  request: RecordExport,
  write: (pieces: AsyncIterable<string | Uint8Array>) => Promise<void>,
): Promise<ExportedRecords> {
  const { workspace, as } = request;
  const model = await requireModel(tx, workspace);
  const reader = await requireReader(tx, model, as);
  const object = findObject(model, reader, request.objectType);
  const selection = planSelection(model, reader, object, request);
  const { fields } = selection;
  const { format, raw, bom, names } = request;
  if (format === 'vcf') requireContactFields(fields);
  const isNamed = (names === true && format !== 'jsonl') || format === 'vcf';
  const references = openReferenceNames(tx, { model, reader }, isNamed ? fields : []);
  const moment = await momentWithin(tx, model.schema);
  await request.onStart?.({
    reading: { caller: reader, model },
    objects: [...selection.objects, ...references.objects],
    moment,
  });
  // People who may not see the directory do not learn addresses here.
  const knowsAddresses = as === undefined || knowsDirectory(reader);
  const showsAddresses = knowsAddresses && request.userIds !== true;
  const addresses = showsAddresses ? await loadEmails(tx, model.schema) : new Map<number, string>();
  const layout = { fields, addresses, format, raw, bom, names };
  const [count] = await runOnce(tx, selection.count);
  const total = Number(count?.rows);
  await runOnce(tx, selection.declare);
  const onRows = (done: number) => request.onRows?.(done, total);
  const batches = batchesOf(tx, references, onRows);
  await write(piecesOf(layout, batches, { total, display: object.display_field }));
  const asked = request.fields?.map(plainKey) ?? [];
  const shown = new Set(fields.map(({ key }) => key));
  return { rows: total, left_out: [...new Set(asked)].filter((key) => !shown.has(key)) };
}

/** The columns of the file, and the statements for them. */
interface Selection {
  readonly fields: readonly Field[];
  /** The objects that the file shows values of, or that select or order its rows. */
  readonly objects: readonly ObjectModel[];
  readonly count: Sql;
  readonly declare: Sql;
}

function planSelection(
  model: WorkspaceModel,
  reader: Caller,
  object: ObjectModel,
  request: RecordExport,
): Selection {
  const { relationship: id } = request;
  const plan = planExport(model, reader, object, request);
  const objects = [object, ...joinedObjects(plan)];
  if (id === undefined) {
    const { fields = [] } = plan;
    return { fields, objects, count: countRowsSql(plan), declare: declareCursorSql(plan) };
  }
  const relationshipEnd = findRelationship(model, reader, object, id);
  const via = relationshipEnd?.relationship.via;
  if (relationshipEnd === undefined || via?.kind !== 'link') {
    const links = object.relationships.filter((one) => one.via.kind === 'link');
    const known = links.map((one) => one.id).join(', ') || 'none';
    throw operatorError(`There are no links "${id}" of ${object.object_type}. Links: ${known}.`);
  }
  const pairs = { via, source: plan, target: basePlan(model, reader, relationshipEnd.other) };
  const statements = { count: countPairsSql(pairs), declare: declarePairsSql(pairs) };
  return { fields: PAIR, objects: [...objects, relationshipEnd.other], ...statements };
}

/** The objects behind the references that the question follows. */
function joinedObjects({ where, order }: ReadPlan): readonly ObjectModel[] {
  const fields = [...conditionsOf(where), ...order].map(({ field }) => field);
  return fields.flatMap(({ join }) => (join === undefined ? [] : [join.object]));
}

const PAIR = ['record_id', 'target_id'].map((key) => systemField(key, key, 'reference', {}));

function piecesOf(
  layout: Layout,
  batches: AsyncIterable<RowBatch>,
  { total, display }: { readonly total: number; readonly display: string | null },
): AsyncIterable<string | Uint8Array> {
  if (layout.format === 'xlsx') return sheetPieces(layout, batches, total);
  return layout.format === 'vcf'
    ? cardPieces(layout, batches, display)
    : textPieces(layout, batches);
}

async function* batchesOf(
  tx: Queryable,
  references: ReferenceNames,
  onRows: (done: number) => void,
): AsyncGenerator<RowBatch> {
  const fetch = () => {
    const rows = tx.query(toStatement(FETCH_SQL));
    // It may fail while the last rows are still being written.
    rows.catch(() => undefined);
    return rows;
  };
  let done = 0;
  let next = fetch();
  for (;;) {
    const rows = await next;
    if (rows.length === 0) return;
    // The database looks for the next rows while these are written.
    next = fetch();
    yield { rows, names: await references.find(rows) };
    done += rows.length;
    onRows(done);
  }
}

function findObject(model: WorkspaceModel, reader: Caller, objectType: string): ObjectModel {
  try {
    return requireObject(model, reader, objectType);
  } catch (error) {
    const readableObjects = [...model.objects.values()].filter(
      ({ object_type }) => (reader.access.objects.get(object_type)?.reach.read ?? null) !== null,
    );
    const near = nearestName(
      objectType,
      readableObjects.map(({ object_type }) => object_type),
    );
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw operatorError(`There is no object type "${objectType}".${hint}`, error);
  }
}

/** All rows of the query, in the order in which they were made unless the request orders them. */
function planExport(
  model: WorkspaceModel,
  reader: Caller,
  object: ObjectModel,
  request: RecordExport,
): ReadPlan {
  const byId = { param: 'sort', field: 'id', direction: 'asc' } as const;
  const keys = request.fields?.map(plainKey);
  const withAuthor = keys?.includes(AUTHOR_FIELD.key) ?? true;
  const { query } = parseRecordQuery(
    {
      text: request.text,
      textParam: 'query',
      filters: request.filters,
      fields: keys?.filter((key) => key !== AUTHOR_FIELD.key),
      sort: request.sort.length > 0 ? request.sort : [byId],
      ...(request.where === undefined
        ? {}
        : { question: { where: request.where, timezone: request.timezone ?? 'UTC' } }),
    },
    () => object,
  );
  const plan = planSelected({ model, caller: reader, now: () => Date.now() }, object, query, 1);
  const fields =
    plan.fields ?? readableFields(reader, object).filter(({ key }) => key !== STATUS_ALIAS_KEY);
  // The API does not show authors; only callers who may see everything get them.
  const author = withAuthor && request.as === undefined ? [AUTHOR_FIELD] : [];
  return {
    ...plan,
    fields: [...fields.filter((field) => canReadField(reader, object, field)), ...author],
  };
}

/** The message of the interface, line by line; else that the request can be repeated. */
function explain(error: unknown): unknown {
  const refusal = refusalInWords(error);
  if (refusal !== error) return refusal;
  const isUnavailable = error instanceof ApiError && error.code === 'service_unavailable';
  if (!isUnavailable && !isDatabaseError(error)) return error;
  const reason = isUnavailable ? 'the database does not answer' : error.message;
  return operatorError(`The export was interrupted: ${reason}. Run it again.`, error);
}
