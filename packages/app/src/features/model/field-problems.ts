// The problems that keep a field out of the draft; the plan reports all others. Pure.

import { KEY_PATTERN } from '@workspace-records/client';
import { RESERVED_FIELD_KEYS } from '../../../../tables/src/field-keys.ts';
import type { Entries, FieldEntry } from '../../lib/definition/document.ts';
import type { Translate } from '../../lib/messages/index.ts';
import { hasSetting, isFormula } from './field-kinds.ts';

interface Given {
  readonly field: FieldEntry;
  readonly key: string;
  /** The other fields of the object. */
  readonly taken: Entries<unknown>;
}

export function problemsOf(
  { field, key, taken }: Given,
  t: Translate,
): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  // A field without a name is called by its key.
  if (key === '') problems.set('name', t('model.needsName'));
  else if (!new RegExp(KEY_PATTERN).test(key)) problems.set('key', t('fields.keyForm'));
  else if (Object.hasOwn(taken, key)) problems.set('key', t('model.keyTaken'));
  else if (RESERVED_FIELD_KEYS.includes(key)) problems.set('key', t('fields.keyReserved'));
  if (isFormula(field) && !field.expression?.trim())
    problems.set('expression', t('formula.needed'));
  if (field.type === 'rollup') {
    if (field.rollup === undefined) problems.set('rollup', t('rollup.needed'));
    else if (field.rollup.op !== 'count' && field.rollup.field === undefined)
      problems.set('rollup.field', t('rollup.fieldNeeded'));
  }
  if (hasSetting(field, 'options')) {
    const { options = [] } = field;
    const values = options.map(({ value }) => value);
    if (options.length === 0) problems.set('options', t('options.needed'));
    else if (values.includes('')) problems.set('options', t('options.empty'));
    else if (new Set(values).size < values.length) problems.set('options', t('options.twice'));
  }
  if (hasSetting(field, 'target') && field.reference_object_type === undefined)
    problems.set('reference', t('fields.needsObject'));
  if (hasSetting(field, 'money') && !/^[A-Z]{3}$/.test(field.currency ?? 'EUR'))
    problems.set('currency', t('fields.currencyForm'));
  return problems;
}
