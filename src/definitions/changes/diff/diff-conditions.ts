// Conditions of gates and rollups that compare with an option of a select which becomes a text: its values become the
// labels of the options, and the condition would say something else without a word. Pure.

import { say } from '../../../messages/message.ts';
import { labelledTexts } from '../../../model/definition/fitting.ts';
import {
  type ObjectModel,
  WORK_ITEMS,
  type Workflow,
  type WorkspaceModel,
} from '../../../model/definition/model.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import type { Note } from '../kinds/note.ts';

/** A refusal for each of them. */
export function findOutdatedConditions(
  old: ObjectModel,
  object: ObjectModel,
  after: WorkspaceModel,
): readonly (Note & ChangeNotice)[] {
  return [...object.fields.values()].flatMap((field) => {
    const from = old.fields.get(field.key);
    const labels = from === undefined ? new Map() : labelledTexts(from, field);
    if (labels.size === 0) return [];
    return conditionsOn(object, field.key, after).flatMap(({ path, value }) => {
      const option = [value].flat().find((one) => labels.has(one));
      if (option === undefined) return [];
      const refusal = say('definition_condition_option', {
        ...{ option: String(option), label: String(labels.get(option)) },
        field: `${object.object_type}.${field.key}`,
      });
      return [change({ kind: 'note', path }, `~ ${path}`, { refusal })];
    });
  });
}

interface PlacedOperand {
  /** The place of the condition in the document. */
  readonly path: string;
  readonly value: unknown;
}

function conditionsOn(
  object: ObjectModel,
  key: string,
  after: WorkspaceModel,
): readonly PlacedOperand[] {
  const gates = [...after.workflows.values()]
    .filter((workflow) => isOfObject(workflow, object, after))
    .flatMap(({ id, statuses }) =>
      [...statuses.values()].flatMap((status) =>
        [...status.gates.values()].flatMap(({ when }) =>
          when?.field === key
            ? [{ path: `workflows.${id}.statuses.${status.id}.transitions`, value: when.value }]
            : [],
        ),
      ),
    );
  const rollups = [...after.objects.values()].flatMap(({ object_type, rollups: all }) =>
    [...all.values()].flatMap(({ key: name, rollup: { reference, where = [] } }) =>
      reference.object_type !== object.object_type
        ? []
        : where
            .filter(({ field }) => field === key)
            .map(({ value }) => ({
              path: `objects.${object_type}.fields.${name}.rollup.where`,
              value,
            })),
    ),
  );
  return [...gates, ...rollups];
}

function isOfObject(
  { id }: Workflow,
  { object_type, workflow }: ObjectModel,
  { work_item_types }: WorkspaceModel,
): boolean {
  const types = object_type === WORK_ITEMS ? [...work_item_types.values()] : [];
  return workflow?.id === id || types.some((type) => type.workflow.id === id);
}
