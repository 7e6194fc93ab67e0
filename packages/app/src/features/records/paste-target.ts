// The rights and fields of a paste, and the values that new records have from the filters of the list.

import type { Field, ObjectDefinition, Where } from '@workspace-records/client';
import { lacksTypes } from '../../lib/creation-fields.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import { presetOf } from '../../lib/presets.ts';
import { OWNER_KEY, TYPE_KEY } from '../../lib/schema-queries.ts';
import type { PasteTarget } from './paste-plan.ts';

export type PasteRights = Omit<PasteTarget, 'columns' | 'records' | 'headings' | 'isNewestFirst'>;

export function usePasteRights(object: ObjectDefinition, where: readonly Where[]): PasteRights {
  const { capabilities, permissions } = object;
  return {
    object,
    canUpdate: useCanChangeEach(object, 'update'),
    canCreate: capabilities.create && permissions.create.allowed && !lacksTypes(object),
    canDelete: capabilities.delete && permissions.delete.allowed,
    preset: presetFields(object, where),
    required: object.fields.filter(isNeeded),
  };
}

/** The only type of work items is the type of each. */
function presetFields(object: ObjectDefinition, where: readonly Where[]): PasteTarget['preset'] {
  const [only, other] = object.work_item_types ?? [];
  const type: Readonly<Record<string, unknown>> =
    only === undefined || other !== undefined ? {} : { [TYPE_KEY]: only.slug };
  const values: Readonly<Record<string, unknown>> = { ...type, ...presetOf(object, where) };
  return object.fields.flatMap((field) =>
    field.key in values ? [[field, values[field.key]]] : [],
  );
}

function isNeeded({ key, required, constraints, editable }: Field): boolean {
  if (!required || key === OWNER_KEY || constraints?.default !== undefined) return false;
  return editable || key === TYPE_KEY;
}
