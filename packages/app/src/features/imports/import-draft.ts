// The plan of an import as a person sees and changes it: for each column its field and how its texts become values. Pure.

import { type Field, LIMITS, type ObjectDefinition } from '@workspace-records/client';
import type { ColumnFacts } from '../../../../tables/src/guess.ts';
import { matchColumns } from '../../../../tables/src/match-columns.ts';
import { nameTemplate } from '../../../../tables/src/name-column.ts';
import { optionsNamed } from '../../../../tables/src/option-words.ts';
import type { Table } from '../../../../tables/src/reading.ts';
import type { WrittenForm } from '../../../../tables/src/written-forms.ts';
import { factsOf, isBoolean, isOfPerson } from '../../lib/field-facts.ts';
import { type Column, columnIn, decidedForm, formsOf } from './column-forms.ts';
import {
  hasOptions,
  importFields,
  isAddress,
  isList,
  isNeeded,
  isUnique,
  matchedObject,
  namingFields,
  referenceOf,
} from './import-fields.ts';
import type { Subject } from './subjects.ts';

export interface ColumnPlan {
  readonly heading: string;
  /** Key of the field; undefined: the column is not imported. */
  readonly field: string | undefined;
  /** Text in the file → value of the field, null: leave empty. A text that is missing goes as it is. */
  readonly values: Readonly<Record<string, string | boolean | null>>;
  /** Between the values of a list. */
  readonly separator: string | undefined;
  /** Of references: the field by which the file names records, `id` included. Of users: `email` or `name`. */
  readonly naming: string | undefined;
  /** Reject the row, or leave the field empty, when the record or person is not found. */
  readonly missing: 'reject' | 'empty';
  /** Undefined: a person has to choose one of two. */
  readonly form: WrittenForm | undefined;
}

export interface ImportDraft {
  readonly columns: readonly ColumnPlan[];
  /** Values of all rows, by field. */
  readonly constants: Readonly<Record<string, string>>;
  /** Texts made of several columns, by field. */
  readonly templates: Readonly<Record<string, string>>;
  /** Fields by which rows find existing records; none: every row is a new record. */
  readonly match: readonly string[];
  readonly onlyNew: boolean;
  /** Which rows with the match values of another row are written; undefined: all, one after the other. */
  readonly doubles?: 'first' | 'last' | undefined;
  /** Rows with another number of cells than the header are left out without a problem. */
  readonly skipsUneven?: boolean;
  /** Rows are written without values that do not fit. */
  readonly leavesOutUnfit?: boolean;
}

/** The subject of the rows, and the objects that its references lead to. */
export interface Target extends Pick<Subject, 'object' | 'head'> {
  readonly others: ReadonlyMap<string, ObjectDefinition>;
}

export function startDraft(target: Target, table: Table): ImportDraft {
  const matches = matchColumns(matchedObject(target.object), table, table.preset);
  const columns = table.headings.map((heading) =>
    planColumn(target, columnIn(table, heading), matches.get(heading)),
  );
  const draft = { columns, constants: {}, templates: {}, match: [], onlyNew: false };
  const named = withOnlyOptions(target.object, withNames(target.object, draft));
  return { ...named, match: firstMatch(target.object, named) };
}

/** How a column becomes this field, as far as its content says so. */
export function planColumn(target: Target, column: Column, key: string | undefined): ColumnPlan {
  const { heading, facts } = column;
  const field = importFields(target.object).find((one) => one.key === key);
  const texts = facts?.distinct ?? [];
  const plain = leftOut(heading);
  if (field === undefined) return plain;
  const separator = isList(field) ? separatorOf(texts) : undefined;
  return {
    ...plain,
    field: field.key,
    separator,
    values: valuesOf(field, itemsOf(texts, separator), facts?.isMany === true),
    naming: namingOf(target, field, texts),
    missing: isLeftEmpty(target, field) ? 'empty' : 'reject',
    form: decidedForm(formsOf(field, column)),
  };
}

/** People who are not members are usual in files of other programs; a comment without its author would be another's. */
function isLeftEmpty({ head }: Target, field: Field): boolean {
  return isOfPerson(field) && !field.required && head.object_type !== undefined;
}

/** A column that goes nowhere. */
function leftOut(heading: string): ColumnPlan {
  return {
    ...{ heading, field: undefined, values: {}, separator: undefined, naming: undefined },
    ...{ missing: 'reject', form: {} },
  };
}

/** A person has to say how its numbers or times are read. */
export function isUndecided({ field, form }: ColumnPlan): boolean {
  return field !== undefined && form === undefined;
}

function separatorOf(texts: readonly string[]): string | undefined {
  const has = (mark: string) => texts.some((text) => text.includes(mark));
  return has(',') && !has(';') ? ',' : undefined;
}

/** The words of a column: of a multi-select each of its options. */
export function itemsOf(
  texts: readonly string[],
  separator: string | undefined,
  isList = separator !== undefined,
): readonly string[] {
  if (!isList) return texts;
  const items = texts.flatMap((text) => text.split(separator ?? ';').map((item) => item.trim()));
  return [...new Set(items)].filter((item) => item !== '');
}

/** Words that the service does not know by itself. */
const TRUTHS: Readonly<Record<string, boolean>> = {
  ...{ ja: true, wahr: true, y: true, x: true, on: true, checked: true, done: true, '✓': true },
  ...{ nein: false, falsch: false, n: false, off: false, unchecked: false, '-': false },
  ...{ 'to do': false },
};

function valuesOf(field: Field, texts: readonly string[], isMany: boolean): ColumnPlan['values'] {
  if (isBoolean(field)) {
    const known = texts.flatMap((text) => {
      const value = TRUTHS[text.toLowerCase()];
      return value === undefined ? [] : [[text, value] as const];
    });
    return Object.fromEntries(known);
  }
  if (!hasOptions(field)) return {};
  const items = factsOf(field).list ? itemsOf(texts, undefined, true) : texts;
  // Labels also beyond the values that were gathered.
  const labels = (isMany ? (field.options ?? []) : []).flatMap(({ label }) => label ?? []);
  const named = [...labels, ...items].flatMap((text) => {
    const value = optionOf(field, text);
    return value === undefined || value === text ? [] : [[text, value] as const];
  });
  return Object.fromEntries(named);
}

/** The option that a word means; undefined: none, or one of several. */
function optionOf(field: Field, text: string): string | undefined {
  const [option, other] = optionsNamed(field.options ?? [], text);
  return option === undefined || other !== undefined ? undefined : String(option.value);
}

/** Texts of the column that are not the value of an option: `values` of the plan says what each becomes. */
export function foreignTexts(
  field: Field,
  { separator }: Pick<ColumnPlan, 'separator'>,
  facts: ColumnFacts | undefined,
): readonly string[] {
  if (!hasOptions(field)) return [];
  const texts = itemsOf(facts?.distinct ?? [], separator, factsOf(field).list);
  return texts.filter((text) => optionOf(field, text) !== text);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function namingOf(target: Target, field: Field, texts: readonly string[]): string | undefined {
  const hasAt = texts.length > 0 && texts.every((text) => text.includes('@'));
  if (isOfPerson(field)) {
    const isId = texts.every((text) => /^\d+$/.test(text));
    return hasAt || isId ? 'email' : 'name';
  }
  const type = referenceOf(field);
  if (type === undefined) return undefined;
  if (texts.length > 0 && texts.every((text) => UUID.test(text))) return 'id';
  const other = target.others.get(type);
  const offered = other === undefined ? [] : namingFields(other);
  const byEmail = hasAt ? offered.find(isAddress) : undefined;
  return (
    byEmail?.key ?? other?.display_field ?? offered.find(({ key }) => key !== 'id')?.key ?? 'id'
  );
}

/** A name that no column gives is made of first and last names. */
function withNames(object: ObjectDefinition, draft: ImportDraft): ImportDraft {
  const key = object.display_field;
  if (key === null || draft.columns.some(({ field }) => field === key)) return draft;
  const template = nameTemplate(draft.columns.map(({ heading }) => heading));
  return template === undefined ? draft : { ...draft, templates: { [key]: template } };
}

/** A required field that can have one value only, such as the type of work items, has it in all rows. */
function withOnlyOptions(object: ObjectDefinition, draft: ImportDraft): ImportDraft {
  const constants = missingFields(object, draft).flatMap(({ key, options = [] }) =>
    options.length === 1 ? [[key, String(options[0]?.value)] as const] : [],
  );
  return { ...draft, constants: { ...draft.constants, ...Object.fromEntries(constants) } };
}

/** The ids of the file, or else a unique field that it has. */
export function firstMatch(object: ObjectDefinition, draft: ImportDraft): readonly string[] {
  const written = writtenFields(object, draft);
  if (written.some(({ key }) => key === 'id')) return ['id'];
  const unique = written.find((field) => isUnique(field));
  return unique === undefined ? [] : [unique.key];
}

/** Fields that the import writes. */
export function writtenFields(object: ObjectDefinition, draft: ImportDraft): readonly Field[] {
  const keys = new Set([
    ...draft.columns.flatMap(({ field }) => field ?? []),
    ...Object.keys(draft.constants),
    ...Object.keys(draft.templates),
  ]);
  return importFields(object).filter(({ key }) => keys.has(key));
}

/** The key of the field whose value is made of this column and others, such as a name of first and last names. */
export function fieldMadeOf({ templates }: ImportDraft, heading: string): string | undefined {
  const made = Object.entries(templates).find(([, template]) => template.includes(`{${heading}}`));
  return made?.[0];
}

/** Required fields of a new record that the import does not write. */
export function missingFields(object: ObjectDefinition, draft: ImportDraft): readonly Field[] {
  const written = new Set(writtenFields(object, draft));
  return importFields(object).filter((field) => isNeeded(field) && !written.has(field));
}

/** Another column that wrote the field no longer does; matching continues by fields that are still written. */
export function withColumn(target: Target, draft: ImportDraft, plan: ColumnPlan): ImportDraft {
  const columns = draft.columns.map((one) => {
    if (one.heading === plan.heading) return plan;
    const field = importFields(target.object).find(({ key }) => key === plan.field);
    const isTaken = field !== undefined && one.field === plan.field && !isList(field);
    return isTaken ? leftOut(one.heading) : one;
  });
  const without = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(given).filter(([key]) => key !== plan.field));
  const { constants, templates } = draft;
  return withMatch(target.object, {
    ...{ ...draft, columns, constants: without(constants), templates: without(templates) },
  });
}

/** The ids of a file are matched alone. */
export function withMatch(
  object: ObjectDefinition,
  draft: ImportDraft,
  match: readonly string[] = draft.match,
): ImportDraft {
  const written = new Set(writtenFields(object, draft).map(({ key }) => key));
  if (written.has('id')) return { ...draft, match: ['id'] };
  return { ...draft, match: match.filter((key) => written.has(key)).slice(0, LIMITS.matchKeys) };
}
