// The rules of one object of a definition document and of its fields, beyond their structure. Pure.

import { type Message, say } from '../../messages/message.ts';
import { compileRules } from '../../model/definition/compile.ts';
import type { DefinitionDocument, ObjectDefinition } from '../../model/definition/definition.ts';
import { RESERVED_FIELD_KEYS, SYSTEM_COLUMNS, WORK_ITEMS } from '../../model/definition/model.ts';
import {
  asValueField,
  type ValueField,
  valueType,
  withoutRollups,
} from '../../model/definition/value-type.ts';
import type { Steps } from '../../model/steps.ts';
import { unknownName } from '../../model/text/nearest-name.ts';
import { ownValue } from '../../model/text/own-value.ts';
import { keepMatcher, patternSteps } from '../../model/text/pattern.ts';
import type { PatternWork } from '../../model/text/pattern-work.ts';
import { TYPE_WORDS } from '../../model/values/field-type.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES } from '../../model/values/field-types.ts';
import { checkFormulas } from './check-formulas.ts';
import { checkRollups } from './check-rollups.ts';

/** Reports a problem of a part of the check. */
export type Report = (path: readonly string[], message: Message) => void;

/** The context of the check of all fields of a document. */
export interface FieldChecks {
  readonly document: DefinitionDocument;
  readonly report: Report;
  /** The work that the patterns of the document together may take. */
  readonly work: PatternWork;
}

/** Report the problems of an object whose structure is valid. */
export function* checkFields(
  checks: FieldChecks,
  objectType: string,
  given: ObjectDefinition,
): Steps<void> {
  const { document, report } = checks;
  const object = withoutRollups(given);
  const path = ['objects', objectType];
  for (const [key, field] of Object.entries(object.fields)) {
    yield;
    const at = [...path, 'fields', key];
    if (RESERVED_FIELD_KEYS.includes(key)) report(at, say('definition_name_of_record'));
    if (SYSTEM_COLUMNS.includes(key) && field.storage !== 'jsonb') {
      report(at, say('definition_name_of_postgres'));
    }
    const reportWord: FieldReport = (word, message) =>
      report(word === '' ? at : [...at, word], message);
    const stored = asValueField(field);
    for (const check of FIELD_CHECKS) check(stored, reportWord, document);
    yield* checkPatternAndDefault(stored, reportWord, checks);
  }
  checkFormulas(object.fields, (at, message) => report([...path, 'fields', ...at], message));
  checkRollups(document, objectType, (at, message) => report([...path, 'fields', ...at], message));
  checkColumns(object, (message) => report([...path, 'fields'], message));
  checkDisplayField(object, (message) => report([...path, 'display_field'], message));
  checkSubtitleField(object, (message) => report([...path, 'subtitle_field'], message));
  checkObjectWorkflow(document, objectType, object, report);
  if (objectType === WORK_ITEMS) checkWorkItemFields(object, report);
}

/** A table has at most 1,600 columns, those of removed fields and of every record among them. */
const MOST_COLUMNS = 1500;

function checkColumns({ fields }: ObjectDefinition, report: (message: Message) => void): void {
  const count = Object.values(fields).filter(({ storage }) => storage !== 'jsonb').length;
  if (count <= MOST_COLUMNS) return;
  report(say('definition_too_many_columns', { count, most: MOST_COLUMNS }));
}

function checkDisplayField(object: ObjectDefinition, report: (message: Message) => void): void {
  const key = object.display_field ?? null;
  if (key === null) return;
  const field = ownValue(object.fields, key);
  if (field === undefined) {
    report(unknownName(key, 'a field of this object', object.fields));
    return;
  }
  if (!FIELD_TYPE_TRAITS[valueType(field)].canDisplay) {
    report(say('definition_must_be_text', { key, type: field.type }));
  }
  if (field.storage === 'jsonb') report(say('definition_must_have_column', { key }));
}

function checkSubtitleField(object: ObjectDefinition, report: (message: Message) => void): void {
  const { subtitle_field: key } = object;
  if (key === undefined) return;
  const field = ownValue(object.fields, key);
  if (field === undefined) {
    report(unknownName(key, 'a field of this object', object.fields));
  } else if (!FIELD_TYPE_TRAITS[valueType(field)].textual || field.storage === 'jsonb') {
    report(say('definition_subtitle_type'));
  }
}

function checkObjectWorkflow(
  document: DefinitionDocument,
  objectType: string,
  object: ObjectDefinition,
  report: Report,
): void {
  const path = ['objects', objectType, 'workflow'];
  if (object.workflow === undefined) return;
  if (objectType === WORK_ITEMS) {
    report(path, say('definition_workflow_of_types'));
    return;
  }
  const { workflows = {} } = document;
  if (ownValue(workflows, object.workflow) === undefined) {
    report(path, unknownName(object.workflow, 'a workflow', workflows));
  }
}

/** Two fields of work items that the service itself reads. */
function checkWorkItemFields(object: ObjectDefinition, report: Report): void {
  const path = ['objects', WORK_ITEMS, 'fields'];
  const type = object.fields.work_item_type_id;
  if (type?.type !== 'text' || type.storage === 'jsonb' || type.required !== true) {
    report([...path, 'work_item_type_id'], say('definition_required_text'));
  }
  const parent = object.fields.parent_work_item_id;
  if (parent === undefined) return;
  if (parent.type !== 'reference' || parent.reference_object_type !== WORK_ITEMS) {
    report([...path, 'parent_work_item_id'], say('definition_parent_reference'));
  }
  if (parent.required === true) {
    report([...path, 'parent_work_item_id'], say('definition_parent_required'));
  }
  if (parent.on_delete !== undefined) {
    const message = say('definition_parent_on_delete');
    report([...path, 'parent_work_item_id', 'on_delete'], message);
  }
}

type FieldReport = (word: string, message: Message) => void;
type FieldCheck = (field: ValueField, report: FieldReport, document: DefinitionDocument) => void;

const FIELD_CHECKS: readonly FieldCheck[] = [
  checkWords,
  checkOptions,
  checkReference,
  checkStorage,
  checkIndex,
  checkBounds,
];

function checkWords(field: ValueField, report: FieldReport): void {
  for (const word of TYPE_WORDS) {
    if (field[word] === undefined || FIELD_TYPE_TRAITS[field.type].words.includes(word)) continue;
    const types = FIELD_TYPES.filter((type) => FIELD_TYPE_TRAITS[type].words.includes(word));
    report(word, say('definition_word_misplaced', { type: field.type, types: types.join(', ') }));
  }
}

function checkOptions(field: ValueField, report: FieldReport): void {
  if (!FIELD_TYPE_TRAITS[field.type].words.includes('options')) return;
  if (field.options === undefined || field.options.length === 0) {
    report('options', say('definition_required_for_type', { type: field.type }));
  }
  const seen = new Set<string>();
  for (const { value } of field.options ?? []) {
    if (seen.has(value)) report('options', say('definition_value_repeated', { value }));
    seen.add(value);
  }
}

function checkReference(
  field: ValueField,
  report: FieldReport,
  { objects }: DefinitionDocument,
): void {
  if (FIELD_TYPE_TRAITS[field.type].refersTo !== 'record') return;
  const target = field.reference_object_type;
  if (target === undefined)
    report('reference_object_type', say('definition_required_for_type', { type: field.type }));
  else if (ownValue(objects, target) === undefined) {
    report('reference_object_type', unknownName(target, 'an object type', objects));
  }
  if (field.required === true && field.on_delete === 'clear') {
    report('on_delete', say('definition_must_restrict'));
  }
}

function checkStorage(field: ValueField, report: FieldReport): void {
  if (field.storage !== 'jsonb') return;
  const { refersTo, holdsFiles } = FIELD_TYPE_TRAITS[field.type];
  if (refersTo !== undefined || holdsFiles) {
    report('storage', say('definition_must_be_physical', { type: field.type }));
  }
  if (field.indexed === true) report('indexed', say('definition_needs_physical'));
  if (field.unique === true) report('unique', say('definition_needs_physical'));
}

/** A B-tree entry takes 2,704 bytes: 600 characters in UTF-8 and the record id (D83). */
const INDEXED_LENGTH = 600;

function checkIndex(field: ValueField, report: FieldReport): void {
  for (const word of ['indexed', 'unique'] as const) {
    if (field[word] !== true) continue;
    if (!FIELD_TYPE_TRAITS[field.type].indexable) {
      report(word, say('definition_impossible_for_type', { type: field.type }));
    } else if ((field.maxLength ?? 0) > INDEXED_LENGTH) {
      report(word, say('definition_needs_max_length', { most: INDEXED_LENGTH }));
    }
  }
}

function checkBounds(field: ValueField, report: FieldReport): void {
  const { minLength = 0, maxLength, minimum, maximum } = compileRules(field);
  if (maxLength !== undefined && minLength > maxLength) {
    report('minLength', say('definition_above_max_length', { most: maxLength }));
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    report('minimum', say('definition_above_maximum', { most: maximum }));
  }
}

/** The pattern checks the default; with an invalid pattern the default cannot be checked. */
function* checkPatternAndDefault(
  field: ValueField,
  report: FieldReport,
  { work }: FieldChecks,
): Steps<void> {
  const rules = compileRules(field);
  if (field.pattern !== undefined) {
    const matcher = keepMatcher(rules, yield* patternSteps(field.pattern, work));
    if ('problem' in matcher) return report('pattern', matcher.problem);
  }
  if (field.default === undefined || field.default === null) return;
  if (FIELD_TYPE_TRAITS[field.type].holdsFiles) {
    return report('default', say('definition_impossible_for_type', { type: field.type }));
  }
  const parsed = FIELD_TYPE_TRAITS[field.type].parse(field.default, rules);
  if ('problem' in parsed) report('default', parsed.problem);
}
