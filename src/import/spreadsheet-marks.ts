// The values of a file that a spreadsheet may have changed, by field: a dry run counts them over all rows. Codes are
// compared with those of the records, which may still have their zeros.

import {
  type ChangedValues,
  openSpreadsheetChanges,
} from '../../packages/tables/src/spreadsheet-changes.ts';
import { ask, type ReadContext } from '../flow/records/read/read-statement.ts';
import { FIELD_TYPE_TRAITS } from '../model/values/field-types.ts';
import { zeroLedSql } from '../sql/read/zero-led-sql.ts';
import { toStatement } from '../sql/sql.ts';
import type { ImportPlan } from './mapping/compile-mapping.ts';
import type { Target } from './mapping/compile-target.ts';
import { readCell } from './rows/cell-values.ts';
import type { SourceRow } from './rows/read-rows.ts';

export interface ChangedField extends ChangedValues {
  readonly field: string;
}

export interface SpreadsheetMarks {
  add(row: SourceRow): void;
  /** The fields in the order of the mapping. */
  found(): readonly ChangedField[];
}

/** Fields whose records are read for codes with zeros, and codes of each. */
const READ_FIELDS = 10;
const MOST_CODES = 20_000;

export async function openSpreadsheetMarks(
  context: ReadContext,
  plan: ImportPlan,
): Promise<SpreadsheetMarks> {
  const columns = (plan.targets ?? []).flatMap((target) => {
    const { field, source } = target;
    return source.kind === 'column' ? [{ field, column: source.column, target }] : [];
  });
  const codes = await loadCodes(
    context,
    plan,
    columns.map(({ target }) => target),
  );
  const opened = columns.map(({ field, column, target }) => {
    const { textual, time } = FIELD_TYPE_TRAITS[field.type];
    const hasLostZeros = (text: string) => codes.get(target)?.has(text) === true;
    const changes = openSpreadsheetChanges({
      isText: textual,
      isTime: time !== undefined,
      hasLostZeros,
    });
    return { field: field.storage_key, column, changes };
  });
  return {
    add({ cells }) {
      for (const { column, changes } of opened) {
        const text = readCell(cells, column);
        if (typeof text === 'string' && text !== '') changes.add(text);
      }
    },
    found: () =>
      opened.flatMap(({ field, changes }) => changes.found().map((one) => ({ field, ...one }))),
  };
}

/** Codes of records without the zeros before them. */
async function loadCodes(
  context: ReadContext,
  { subject, object, match }: ImportPlan,
  targets: readonly Target[],
): Promise<ReadonlyMap<Target, ReadonlySet<string>>> {
  const codes = new Map<Target, ReadonlySet<string>>();
  // Rows that match nothing make new records.
  if (subject.kind !== 'records' || match.length === 0) return codes;
  const texts = targets.filter(
    ({ field: { type, storage, rules, system } }) =>
      !system &&
      FIELD_TYPE_TRAITS[type].textual &&
      storage === 'physical' &&
      rules.options === undefined,
  );
  for (const target of texts.slice(0, READ_FIELDS)) {
    const statement = zeroLedSql(context.model.schema, object, target.field, MOST_CODES);
    const rows = await ask(context, toStatement(statement));
    codes.set(target, new Set(rows.map(({ digits }) => String(digits))));
  }
  return codes;
}
