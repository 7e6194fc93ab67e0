// The formulas of one object of a definition: each with the formulas that it names in it, or its problem. Pure.

import { type Message, say } from '../../messages/message.ts';
import type { FieldDefinition } from '../definition/definition.ts';
import { isFormula, valueType } from '../definition/value-type.ts';
import { unknownName } from '../text/nearest-name.ts';
import { ownValue } from '../text/own-value.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import { resultOf } from './evaluate-formula.ts';
import { literalNode } from './fold-formula.ts';
import { messageOfProblem, parseExpression, problemAt } from './formula-syntax.ts';
import { type FormulaNode, type ResultForm, UNIT } from './formula-tree.ts';
import { otherKind, typeFormula } from './type-formula.ts';

type Fields = Readonly<Record<string, FieldDefinition>>;

export interface TypedFormula {
  readonly tree: FormulaNode;
  /** The fields that it is computed from, those of the formulas that it names included. */
  readonly inputs: ReadonlySet<string>;
}

export type FoundFormula = TypedFormula | { readonly problem: Message };

/** The formulas by the keys of their fields. */
export function formulasOf(fields: Fields): ReadonlyMap<string, FoundFormula> {
  const formulas = new Map<string, FoundFormula | undefined>();
  for (const [key, field] of Object.entries(fields)) {
    if (isFormula(field)) formulaOf(fields, key, formulas);
  }
  return formulas as ReadonlyMap<string, FoundFormula>;
}

/** Undefined in the map: it is being typed. */
function formulaOf(
  fields: Fields,
  key: string,
  formulas: Map<string, FoundFormula | undefined>,
): FoundFormula {
  const known = formulas.get(key);
  if (known !== undefined) return known;
  formulas.set(key, undefined);
  const formula = typedOrProblem(fields, key, formulas);
  formulas.set(key, formula);
  return formula;
}

function typedOrProblem(
  fields: Fields,
  key: string,
  formulas: Map<string, FoundFormula | undefined>,
): FoundFormula {
  const inputs = new Set<string>();
  const resolve = (name: string, at: number): FormulaNode => {
    inputs.add(name);
    const field = ownValue(fields, name);
    if (field === undefined) {
      throw problemAt(at, unknownName(name, 'a field of this object', fields));
    }
    if (!isFormula(field)) return storedNode(name, field, at);
    if (formulas.has(name) && formulas.get(name) === undefined) {
      throw problemAt(at, say('formula_circular', { name }));
    }
    const inner = formulaOf(fields, name, formulas);
    if ('problem' in inner) throw problemAt(at, say('formula_of_wrong', { name }));
    for (const input of inner.inputs) inputs.add(input);
    return inner.tree;
  };
  const definition = fields[key] as FieldDefinition;
  try {
    const typed = typeFormula(parseExpression(definition.expression ?? ''), resolve);
    const type = valueType(definition);
    const { kind, isResult } = FIELD_TYPE_TRAITS[type].formula ?? {};
    if (kind !== typed.kind || isResult !== true) return { problem: otherKind(typed.kind, type) };
    return { tree: resultNode(typed, definition), inputs };
  } catch (error) {
    return { problem: messageOfProblem(error) };
  }
}

function storedNode(key: string, field: FieldDefinition, at: number): FormulaNode {
  const { type, storage } = field;
  const role = FIELD_TYPE_TRAITS[valueType(field)].formula;
  if (role === undefined) throw problemAt(at, say('formula_input_type', { key, type }));
  if (storage === 'jsonb') throw problemAt(at, say('definition_must_have_column', { key }));
  return { op: 'field', kind: role.kind, key, size: 1 };
}

/** The decimal places of numbers whose field does not say. */
const USUAL_PLACES = 4;
const MONEY_PLACES = 2;
const MOST_DIGITS = 15;
/** Whole numbers have 32 bits. */
const INTEGER_BOUND = 2n ** 31n;

/** The value as the field has it: a formula that names the field computes with that. */
function resultNode(of: FormulaNode, definition: FieldDefinition): FormulaNode {
  const { kind, size } = of;
  const form = kind === 'number' ? numberForm(definition) : {};
  if (of.op === 'literal') return literalNode(kind, resultOf(of.value, form));
  return { op: 'result', kind, form, of, size: size + 1 };
}

function numberForm(definition: FieldDefinition): ResultForm {
  const traits = FIELD_TYPE_TRAITS[valueType(definition)];
  const usual = traits.words.includes('currency') ? MONEY_PLACES : USUAL_PLACES;
  const places = traits.places ?? definition.scale ?? usual;
  const bound = traits.places === undefined ? 10n ** BigInt(MOST_DIGITS - places) : INTEGER_BOUND;
  return { places, bound: bound * UNIT };
}
