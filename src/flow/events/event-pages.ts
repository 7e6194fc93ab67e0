// Pages of the outbox of changes, in present keys and with the changes of a record in the order of its revisions.

import { loadNameChanges } from '../../control/workspace/definition-revisions.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { EventRow } from '../../plan/events/event-plan.ts';
import {
  type EventPlace,
  type EventPosition,
  planEventPage,
  positionAt,
} from '../../plan/events/event-position.ts';
import { fieldKeyNow, type NameHistory, nameHistory } from '../../plan/events/name-history.ts';
import type { Shareable } from '../../postgres/db.ts';
import { type EventSource, eventsSql, sameEventsSql } from '../../sql/events/event-sql.ts';
import { toStatement } from '../../sql/sql.ts';

/** The database, and for how many days it keeps changes. */
export interface Outbox {
  readonly db: Shareable;
  readonly days: number;
}

export interface Page {
  readonly rows: readonly EventRow[];
  /** The position after the rows. */
  readonly next: EventPosition;
  /** The moment that the rows were read up to. */
  readonly to: string;
}

/** A page behind a position, up to a moment of the same epoch, of at most so many rows. */
export interface PageRequest {
  readonly position: EventPosition;
  readonly end: string;
  readonly limit: number;
}

export async function loadPage(
  outbox: Outbox,
  model: WorkspaceModel,
  { position, end, limit }: PageRequest,
): Promise<Page> {
  const plan = planEventPage(position, end, limit);
  const { to } = plan;
  const history = await historyOf(outbox, model);
  const statement = toStatement(eventsSql(sourceOf(outbox, model, history), plan));
  const found = await outbox.db.near(model.schema).query(statement, { isHeavy: true });
  const rows = inOrderOfRevisions(presentRows(history, found as unknown as readonly StoredRow[]));
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last === undefined ? { delivered: to } : positionAt(position, to, last.place);
  return { rows, to, next };
}

/** The rows at these places, as they are now; without those that are gone. */
export async function loadSameRows(
  outbox: Outbox,
  model: WorkspaceModel,
  places: readonly EventPlace[],
): Promise<readonly EventRow[]> {
  const history = await historyOf(outbox, model);
  const statement = toStatement(sameEventsSql(sourceOf(outbox, model, history), places));
  const found = await outbox.db.near(model.schema).query(statement);
  return presentRows(history, found as unknown as readonly StoredRow[]);
}

const histories = new WeakMap<WorkspaceModel, Promise<NameHistory>>();

/** The keys before renames, as far as changes with them are kept: loaded once for a definition. */
export function historyOf({ db, days }: Outbox, model: WorkspaceModel): Promise<NameHistory> {
  const known = histories.get(model);
  if (known !== undefined) return known;
  const { schema, revision: until } = model;
  const loaded = loadNameChanges(db.near(schema), schema, { until, days }).then(nameHistory);
  histories.set(model, loaded);
  loaded.catch(() => histories.delete(model));
  return loaded;
}

function sourceOf(
  { days }: Outbox,
  model: WorkspaceModel,
  { objects: renamed }: NameHistory,
): EventSource {
  return { model, renamed, days };
}

/** A row with the keys of its time, except the object type. */
interface StoredRow extends Omit<EventRow, 'place'> {
  /** The revision that its keys are of. */
  readonly definition: number | null;
}

function presentRows(history: NameHistory, rows: readonly StoredRow[]): readonly EventRow[] {
  return rows.map((row) => {
    const { transaction, id } = row;
    return Object.assign(row, {
      changed_fields: presentKeys(history, row),
      place: { transaction, id },
    });
  });
}

function presentKeys(
  history: NameHistory,
  { object_type, changed_fields, definition }: StoredRow,
): readonly string[] {
  if (history.changes.length === 0) return changed_fields;
  const revision = definition ?? 0;
  return changed_fields.map((key) => fieldKeyNow(history, object_type, { key, revision }));
}

/**
 * The rows with those of one record in the order of its revisions, in the places that they had together. A transaction
 * that began first may have written the record last; the numbers of its rows show it.
 */
function inOrderOfRevisions(rows: readonly EventRow[]): readonly EventRow[] {
  const places = new Map<string, number[]>();
  rows.forEach(({ record_id }, index) => {
    const own = places.get(String(record_id));
    if (own === undefined) places.set(String(record_id), [index]);
    else own.push(index);
  });
  const ordered = [...rows];
  for (const indexes of places.values()) {
    if (indexes.length === 1) continue;
    const own = indexes
      .map((index) => rows[index] as EventRow)
      .sort((one, other) => one.id - other.id);
    own.forEach((row, at) => {
      const index = indexes[at] as number;
      ordered[index] = { ...row, place: (rows[index] as EventRow).place };
    });
  }
  return ordered;
}
