// Plans of imports that a person has saved, by object. The service has no place for them, so they stay in this browser
// (D547); they have headings and words of options, and no rows.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import type { Table } from '../../../../tables/src/reading.ts';
import { readNumber, type WrittenForm } from '../../../../tables/src/written-forms.ts';
import { isNumeric } from '../../lib/field-facts.ts';
import { isSame } from '../../lib/field-value.ts';
import { readSetting, writeSetting } from '../../lib/storage.ts';
import { type Column, columnIn, decidedForm, formsOf } from './column-forms.ts';
import type { ColumnPlan, ImportDraft, Target } from './import-draft.ts';
import { importFields } from './import-fields.ts';

export interface SavedMapping {
  /** Empty: the plan of the last import, which nobody has named. */
  readonly name: string;
  readonly draft: ImportDraft;
}

interface Place {
  readonly workspace: string;
  readonly userId: number;
  readonly object: Pick<ObjectDefinition, 'object_type'>;
}

/** The most mappings that are kept: those used last. */
const MOST = 20;

const settingOf = ({ workspace, userId, object }: Place) =>
  `mappings:${workspace}:${userId}:${object.object_type}`;

/** The last used first. */
export function savedMappings(place: Place): readonly SavedMapping[] {
  try {
    const kept: unknown = JSON.parse(readSetting(settingOf(place)) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** In the place of another one of this name. */
export function saveMapping(place: Place, saved: SavedMapping): void {
  const others = savedMappings(place).filter(({ name }) => name !== saved.name);
  writeSetting(settingOf(place), JSON.stringify([saved, ...others].slice(0, MOST)));
}

export function deleteMapping(place: Place, name: string): void {
  const others = savedMappings(place).filter((one) => one.name !== name);
  writeSetting(settingOf(place), JSON.stringify(others));
}

/** The plan of the last file that had the same headings. */
export function lastMapping(place: Place, headings: readonly string[]): SavedMapping | undefined {
  const wanted = headings.join('\n');
  return savedMappings(place).find(
    ({ draft }) => draft.columns.map(({ heading }) => heading).join('\n') === wanted,
  );
}

interface Started {
  readonly table: Pick<Table, 'headings' | 'columns' | 'guesses' | 'notation'>;
  /** As it was found. */
  readonly started: ImportDraft;
}

/** The saved mapping, for the columns that the file has and the fields that there are; the rest as it was found. */
export function applySaved(
  { object }: Target,
  { started, table }: Started,
  { draft }: SavedMapping,
): ImportDraft {
  const fields = new Map(importFields(object).map((field) => [field.key, field]));
  const keys = new Set(fields.keys());
  const isThere = (key: string | undefined) => key === undefined || keys.has(key);
  const byHeading = new Map(draft.columns.map((plan) => [plan.heading, plan]));
  const known = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(given).filter(([key]) => keys.has(key)));
  return {
    columns: started.columns.map((plan) => {
      const saved = byHeading.get(plan.heading);
      if (saved === undefined || !isThere(saved.field)) return plan;
      // Words that only this file has keep what was found for them.
      const values = { ...plan.values, ...saved.values };
      const field = fields.get(saved.field ?? '');
      return { ...saved, values, form: formIn(columnIn(table, plan.heading), field, saved) };
    }),
    constants: known(draft.constants),
    templates: known(draft.templates),
    match: draft.match.filter((key) => keys.has(key)),
    onlyNew: draft.onlyNew,
    doubles: draft.doubles,
    skipsUneven: draft.skipsUneven === true,
    leavesOutUnfit: draft.leavesOutUnfit === true,
  };
}

/** The saved form where the file may have it; another file may write its numbers and dates in another way. */
function formIn(column: Column, field: Field | undefined, { form }: ColumnPlan) {
  if (field === undefined || form === undefined) return form;
  const columnForms = formsOf(field, column);
  if (columnForms.by !== undefined) return decidedForm(columnForms);
  const texts = column.facts?.distinct ?? [];
  const readsAlike = (one: WrittenForm) =>
    isNumeric(field)
      ? texts.every((text) => Object.is(readNumber(text, one), readNumber(text, form)))
      : isSame(one, form);
  return columnForms.forms.length === 0 || columnForms.forms.some(readsAlike)
    ? form
    : decidedForm(columnForms);
}
