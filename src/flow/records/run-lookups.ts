// Runs the look-ups of a group of requests and turns their rows into `LookupResults`.

import type { FileValue } from '../../model/fields/file-field.ts';
import { pairKey } from '../../plan/write/validate-link.ts';
import { numberPrefixes } from '../../plan/write/work-items.ts';
import type { WritePlan } from '../../plan/write/write-operation.ts';
import {
  type FilePlace,
  type FoundFile,
  type LookupResults,
  NO_LOOKUP_RESULTS,
  type Referring,
} from '../../plan/write/write-validation.ts';
import type { Queryable, Row, Transaction } from '../../postgres/db.ts';
import { PLACE_COLUMN } from '../../sql/read/shared-ids-sql.ts';
import { type Statement, toStatement } from '../../sql/sql.ts';
import { nextPublicIdsSql } from '../../sql/write/work-item-sql.ts';
import type { Lookup } from './lookups.ts';

/** The results with public ids for the work items that the plan creates. */
export async function numberItems(
  db: Queryable,
  plan: WritePlan,
  lookedUp: LookupResults,
): Promise<LookupResults> {
  const prefixes = numberPrefixes(plan, lookedUp);
  if (prefixes.size === 0) return lookedUp;
  const statement = nextPublicIdsSql(plan.model.schema, [...prefixes.values()]);
  const rows = await db.query(toStatement(statement));
  const publicIds = new Map(
    [...prefixes.keys()].map((write, place) => [write, String(rows[place]?.public_id)] as const),
  );
  return { ...lookedUp, publicIds };
}

interface Merged {
  readonly statement: Statement;
  readonly lookups: { readonly lookup: Lookup; readonly from: number; readonly to: number }[];
}

/**
 * The rows of the look-ups of each request, in one round trip. Look-ups with lists as values and the same text
 * are merged into one statement.
 */
export async function runLookups(
  tx: Transaction,
  requests: readonly (readonly Lookup[])[],
): Promise<readonly (readonly (readonly Row[])[])[]> {
  const merged: Merged[] = [];
  for (const lookup of requests.flat()) addLookup(merged, lookup);
  const answers = new Map<Lookup, readonly Row[]>();
  const rows = await tx.queryAll(merged.map(({ statement }) => statement));
  merged.forEach(({ lookups }, index) => {
    const [first, ...others] = lookups;
    if (first !== undefined && others.length === 0) answers.set(first.lookup, rows[index] ?? []);
    else for (const part of lookups) answers.set(part.lookup, rowsOf(part, rows[index] ?? []));
  });
  return requests.map((lookups) => lookups.map((lookup) => answers.get(lookup) ?? []));
}

function addLookup(merged: Merged[], lookup: Lookup): void {
  const { statement, listed = false } = lookup;
  const length = listed ? (statement.values[0] as readonly unknown[]).length : 0;
  const index = listed ? merged.findIndex((one) => one.statement.text === statement.text) : -1;
  const same = merged[index];
  if (same === undefined) {
    merged.push({ statement, lookups: [{ lookup, from: 0, to: length }] });
    return;
  }
  const values = same.statement.values.map((list, place) =>
    (list as readonly unknown[]).concat(statement.values[place]),
  );
  const from = (same.statement.values[0] as readonly unknown[]).length;
  merged[index] = {
    statement: { text: statement.text, values },
    lookups: [...same.lookups, { lookup, from, to: from + length }],
  };
}

function rowsOf({ from, to }: Merged['lookups'][number], rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => {
    const place = Number(row[PLACE_COLUMN]);
    return place > from && place <= to;
  });
}

/** The results, from the rows of the look-ups. */
export function lookupResultsOf({
  lookups,
  answers,
}: {
  readonly lookups: readonly Lookup[];
  readonly answers: readonly (readonly Row[])[];
}): LookupResults {
  const rows = new Map<string, Row>();
  const matches = new Map<number, Row[]>();
  const references = new Map<string, ReadonlySet<string>>();
  const activeUsers = new Set<number>();
  const referring = new Map<string, Referring>();
  const approvingTeams = new Set<string>();
  const lastChangedBy = new Map<string, number>();
  const links = new Set<string>();
  const files = new Map<string, FoundFile>();
  let mentioned: LookupResults['mentioned'] = [];
  lookups.forEach(({ kind, objectType }, index) => {
    const answer = answers[index] ?? [];
    if (kind === 'rows') for (const row of answer) rows.set(String(row.id), row);
    if (kind === 'users') for (const row of answer) activeUsers.add(Number(row.id));
    if (kind === 'teams') for (const row of answer) approvingTeams.add(String(row.name));
    if (kind === 'changers') {
      for (const row of answer) lastChangedBy.set(String(row.id), Number(row.user_id));
    }
    if (kind === 'mentioned') mentioned = answer as unknown as LookupResults['mentioned'];
    if (kind === 'files') for (const row of answer) files.set(String(row.id), foundFile(row));
    if (kind === 'links') for (const row of answer) links.add(linkKey(row));
    if (kind === 'references') {
      references.set(objectType, new Set(answer.map((row) => String(row.id))));
    }
    if (kind === 'referring') for (const row of answer) addReferring(referring, objectType, row);
    if (kind === 'matches') {
      for (const row of answer) {
        const match = Number(row._match);
        matches.set(match, [...(matches.get(match) ?? []), row]);
      }
    }
  });
  const { publicIds } = NO_LOOKUP_RESULTS;
  return {
    ...{ rows, matches, references, activeUsers, referring, publicIds },
    ...{ approvingTeams, lastChangedBy, links, mentioned, files },
  };
}

function foundFile(row: Row): FoundFile {
  const { id, name, type, table_name: table, column_name: column, record_id } = row;
  return {
    ...({ id, name, type, size: Number(row.size) } as FileValue),
    uploaded_by: Number(row.uploaded_by),
    place: table === null ? undefined : ({ table, record_id, column } as FilePlace),
    isAttached: row.released_at === null,
  };
}

function linkKey({ relationship, from_id, to_id }: Row): string {
  return pairKey(String(relationship), String(from_id), String(to_id));
}

function addReferring(referring: Map<string, Referring>, objectType: string, row: Row): void {
  const id = String(row.id);
  const before = referring.get(id);
  const [needing, cleared] = [Number(row.needing), Number(row.cleared)];
  referring.set(id, {
    needing: { ...before?.needing, ...(needing > 0 ? { [objectType]: needing } : {}) },
    cleared: { ...before?.cleared, ...(cleared > 0 ? { [objectType]: cleared } : {}) },
    hidden: before?.hidden === true || row.hidden === true,
  });
}
