// The rules of the computed fields of an object: their words, their expressions, and how many there are. Pure.

import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import type { FieldDefinition } from '../../model/definition/definition.ts';
import { FORMULA, formulaWords } from '../../model/definition/definition-words.ts';
import { isFormula } from '../../model/definition/value-type.ts';
import { formulasOf } from '../../model/formulas/object-formulas.ts';

/** Words of fields that are computed, besides their own; the others are rules for values that people write. */
const USUAL_WORDS = [
  ...['name', 'renamed_from', 'description', 'section', 'type', 'indexed', 'searchable'],
  ...['scale', 'currency'],
] as const satisfies readonly (keyof FieldDefinition)[];

const FORMULA_WORDS = Object.keys(formulaWords) as readonly (keyof typeof formulaWords)[];
const KNOWN_WORDS: ReadonlySet<string> = new Set([...USUAL_WORDS, ...FORMULA_WORDS]);

type ReportWord = (path: readonly string[], message: Message) => void;

/** Report the problems of computed fields; the path begins with the key of a field. */
export function checkFormulas(
  fields: Readonly<Record<string, FieldDefinition>>,
  report: ReportWord,
): void {
  const entries = Object.entries(fields);
  for (const [key, field] of entries)
    checkWords(field, (word, message) => report([key, word], message));
  const count = entries.filter(([, field]) => isFormula(field)).length;
  const most = LIMITS.formulasOfObject;
  if (count > most) report([], say('definition_too_many_formulas', { count, most }));
  else if (count > 0) checkExpressions(fields, report);
}

function checkExpressions(
  fields: Readonly<Record<string, FieldDefinition>>,
  report: ReportWord,
): void {
  for (const [key, formula] of formulasOf(fields)) {
    if ('problem' in formula) report([key, 'expression'], formula.problem);
  }
}

function checkWords(
  field: FieldDefinition,
  report: (word: string, message: Message) => void,
): void {
  for (const word of FORMULA_WORDS) {
    if (isFormula(field) === (field[word] !== undefined)) continue;
    const { type } = field;
    report(
      word,
      isFormula(field)
        ? say('definition_required_for_type', { type })
        : say('definition_word_misplaced', { type, types: FORMULA }),
    );
  }
  if (!isFormula(field)) return;
  for (const word of Object.keys(field)) {
    if (KNOWN_WORDS.has(word)) continue;
    report(word, say('definition_impossible_for_type', { type: FORMULA }));
  }
}
