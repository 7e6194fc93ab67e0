// The problems of the values of a row: their words, those beside the first one, and the values that a mapping leaves out
// for theirs.

import { cutText } from '../../errors.ts';
import { about, say } from '../../messages/message.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { TIME_FORMS } from '../../model/values/times.ts';
import type { ImportPlan } from '../mapping/compile-mapping.ts';
import type { Target } from '../mapping/compile-target.ts';
import { templateColumns, templateTexts } from '../mapping/template.ts';
import { readCell, textOf } from './cell-values.ts';
import type { RowProblem, SourceRow } from './read-rows.ts';

export interface EmptiedValue {
  readonly field: string;
  readonly text: string;
}

const EXAMPLE_LENGTH = 60;

/** The problem of a time in another form with the words of a mapping for that form, by the problem alone. */
const OTHER_FORMS: ReadonlyMap<string, string> = new Map([
  [about('The value', TIME_FORMS.day).text, say('import_date_form').text],
  [about('The value', TIME_FORMS.moment).text, say('import_time_form').text],
]);

/** The problem with the value that has it, and for a time in another form with the words of the mapping for it. */
export function explainProblem(plan: ImportPlan, row: SourceRow, { field, reason }: RowProblem) {
  const text = OTHER_FORMS.get(reason) ?? reason;
  return { field, reason: text, example: exampleOf(plan, row, field) };
}

/** The start of the cells of which the field is made; undefined when they are empty, or there are none. */
export function exampleOf(
  { targets }: ImportPlan,
  { cells }: SourceRow,
  field: string,
): string | undefined {
  const target = targets?.find((one) => one.field.storage_key === field);
  const source =
    targets === undefined ? ({ kind: 'column', column: field } as const) : target?.source;
  const text = source === undefined ? '' : sourceText(source, cells);
  return text === '' ? undefined : cutText(text, EXAMPLE_LENGTH);
}

function sourceText(source: Target['source'], cells: SourceRow['cells']): string {
  const startOf = (column: string) => cutText(textOf(readCell(cells, column)), EXAMPLE_LENGTH);
  switch (source.kind) {
    case 'column':
      return startOf(source.column);
    case 'constant':
      return '';
    case 'template': {
      const isEmpty = templateColumns(source.parts).every((column) => startOf(column) === '');
      return isEmpty ? '' : templateTexts(source.parts, startOf).join('');
    }
    case 'parts': {
      const texts = source.parts.map((part) => sourceText(part.source, cells));
      return texts.filter((text) => text !== '').join('; ');
    }
  }
}

/** These problems, and those of the other values of the row: a person corrects a row once. */
export function withFieldProblems(
  { values }: { readonly values: ReadonlyMap<Target, unknown> },
  problems: readonly RowProblem[],
): readonly RowProblem[] {
  const named = new Set(problems.map(({ field }) => field));
  if (named.has('')) return problems;
  const others = [...values].flatMap(([{ field }, value]): readonly RowProblem[] => {
    if (value === null || field.system || named.has(field.storage_key)) return [];
    const { isList, parse } = FIELD_TYPE_TRAITS[field.type];
    // Mentions are several people in a field of one.
    if (Array.isArray(value) && !isList) return [];
    const parsed = parse(value, field.rules);
    const reason = 'problem' in parsed ? `The value ${parsed.problem.text}.` : undefined;
    return reason === undefined ? [] : [{ field: field.storage_key, reason }];
  });
  return [...problems, ...others];
}

/** The problems that reject the row, and the storage keys of the fields that the mapping leaves out for theirs. */
export function splitProblems(
  { leftOut }: ImportPlan,
  built: { readonly values: ReadonlyMap<Target, unknown> },
  problems: RowProblem[],
): { readonly rejecting: RowProblem[]; readonly unfit: ReadonlySet<string> } {
  if (leftOut.size === 0) return { rejecting: problems, unfit: leftOut };
  const all = withFieldProblems(built, problems);
  const unfit = all.map(({ field }) => field).filter((field) => leftOut.has(field));
  return { rejecting: all.filter(({ field }) => !leftOut.has(field)), unfit: new Set(unfit) };
}
