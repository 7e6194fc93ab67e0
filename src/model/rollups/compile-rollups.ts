// The rollups of all objects, once the fields are known whose values they summarize. Pure.

import type { DefinitionDocument, FieldDefinition } from '../definition/definition.ts';
import { inOrder } from '../definition/entry-order.ts';
import type { Field, ObjectModel, Rollup } from '../definition/model.ts';
import { systemField } from '../definition/system-fields.ts';
import { plainText } from '../definition/texts.ts';
import { isRollup } from '../definition/value-type.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import type { RollupDefinition } from './rollup-words.ts';

/** Give the compiled objects their rollups. */
export function addRollups(
  { objects: definitions }: DefinitionDocument,
  objects: Map<string, ObjectModel>,
): void {
  for (const [objectType, object] of objects) {
    const { fields = {}, field_order } = definitions[objectType] ?? {};
    if (!Object.values(fields).some(isRollup)) continue;
    const rollups = inOrder(fields, field_order).flatMap(([key, field]) => {
      const { rollup } = field;
      if (!isRollup(field) || rollup === undefined) return [];
      const other = objects.get(rollup.reference.object_type);
      const source = other?.fields.get(rollup.field ?? '');
      return [[key, compileRollup(key, field, { rollup, source })] as const];
    });
    objects.set(objectType, Object.freeze({ ...object, rollups: new Map(rollups) }));
  }
}

interface Summarized {
  readonly rollup: RollupDefinition;
  /** The field that the values are from; undefined: records are counted. */
  readonly source: Field | undefined;
}

function compileRollup(
  key: string,
  { name = key, description, section }: FieldDefinition,
  { rollup, source }: Summarized,
): Rollup {
  const type = source?.type ?? 'integer';
  const field = systemField(key, plainText(name), type, {
    description: description ?? null,
    // No column has a space in its name.
    column: `rollup ${key}`,
    cast_type: FIELD_TYPE_TRAITS[type].castType,
    section: section === undefined ? null : plainText(section),
    system: false,
    ...(source === undefined ? {} : optionsOf(source, rollup)),
  });
  return Object.freeze({ ...field, rollup });
}

/** Values of options have the names and colors of the other object. */
function optionsOf(
  { rules: { options }, colors, constraints }: Field,
  { reference, field }: RollupDefinition,
): Partial<Field> {
  const { currency } = constraints ?? {};
  const optionsPath = `objects.${reference.object_type}.fields.${field}.options`;
  return {
    ...(currency === undefined ? {} : { constraints: Object.freeze({ currency }) }),
    ...(options === undefined
      ? {}
      : {
          rules: { options },
          colors,
          places: options.map(({ value }) => `${optionsPath}.${value}`),
        }),
  };
}
