// The objects whose records have a workflow: conditions of its gates name fields that all of them have. Pure.

import type { DefinitionDocument } from '../../model/definition/definition.ts';
import { WORK_ITEMS } from '../../model/definition/model.ts';

export function objectsOfWorkflow(
  { objects, work_item_types = {} }: DefinitionDocument,
  id: string,
): readonly string[] {
  const own = Object.keys(objects).filter((key) => objects[key]?.workflow === id);
  const isOfItems = Object.values(work_item_types).some(({ workflow }) => workflow === id);
  return isOfItems ? [...own, WORK_ITEMS] : own;
}
