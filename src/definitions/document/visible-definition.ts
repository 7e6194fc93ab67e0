// The definition document for a viewer who may not see all of it (D234): the objects, fields and workflows that other
// routes show to the same person, and their own roles. Pure.

import type {
  DefinitionDocument,
  FieldDefinition,
  ObjectDefinition,
  RoleDefinition,
  Transition,
  UserDefinition,
} from '../../model/definition/definition.ts';
import { transitionTarget } from '../../model/definition/definition.ts';
import { WORK_ITEMS } from '../../model/definition/model.ts';
import { objectsOfWorkflow } from './workflow-objects.ts';

/** The parts that the viewer may read. */
export interface Visibility {
  isReadable(objectType: string): boolean;
  isReadableField(objectType: string, key: string): boolean;
  readonly roles: ReadonlySet<string>;
  /** People and teams. */
  readonly directory: boolean;
}

export function visibleDefinition(
  document: DefinitionDocument,
  view: Visibility,
): DefinitionDocument {
  const { name, sort_locale, objects, relationships, workflows, work_item_types, roles } = document;
  const readableObjects = entriesOf(objects).filter(([key]) => view.isReadable(key));
  const types = view.isReadable(WORK_ITEMS) ? entriesOf(work_item_types) : [];
  const used = new Set([
    ...readableObjects.map(([, object]) => object.workflow),
    ...types.map(([, { workflow }]) => workflow),
  ]);
  return {
    ...(name === undefined ? {} : { name }),
    ...(sort_locale === undefined ? {} : { sort_locale }),
    objects: Object.fromEntries(
      readableObjects.map(([key, object]) => [key, visibleObject(key, object, view)]),
    ),
    relationships: Object.fromEntries(
      entriesOf(relationships)
        .filter(([, { from, to }]) => view.isReadable(from) && view.isReadable(to))
        .map(([key, relationship]) => [key, withoutOldKey(relationship)]),
    ),
    workflows: Object.fromEntries(
      entriesOf(workflows)
        .filter(([id]) => used.has(id))
        .map(([id, workflow]) => {
          const owners = objectsOfWorkflow(document, id).filter(view.isReadable);
          return [id, visibleWorkflow(workflow, view, owners)];
        }),
    ),
    work_item_types: Object.fromEntries(
      types.map(([key, { fields, ...type }]) => {
        const readable = fields?.filter((field) => view.isReadableField(WORK_ITEMS, field));
        return [key, { ...type, ...(readable === undefined ? {} : { fields: readable }) }];
      }),
    ),
    roles: Object.fromEntries(
      entriesOf(roles)
        .filter(([key]) => view.roles.has(key))
        .map(([key, role]) => [key, visibleRole(role, view)]),
    ),
    ...visiblePeople(document, view),
  };
}

function entriesOf<Value>(
  entries: Readonly<Record<string, Value>> = {},
): readonly (readonly [string, Value])[] {
  return Object.entries(entries);
}

/** Previous names are not shown. */
function withoutOldKey<Entry extends { readonly renamed_from?: string }>(
  entry: Entry,
): Omit<Entry, 'renamed_from'> {
  const { renamed_from: _, ...rest } = entry;
  return rest;
}

function visibleObject(
  objectType: string,
  object: ObjectDefinition,
  view: Visibility,
): ObjectDefinition {
  const { display_field, subtitle_field, field_order, fields, ...rest } = withoutOldKey(object);
  const isShown = (key: string | null | undefined) =>
    typeof key === 'string' && view.isReadableField(objectType, key);
  return {
    ...rest,
    ...(isShown(display_field) ? { display_field } : {}),
    ...(isShown(subtitle_field) ? { subtitle_field } : {}),
    ...(field_order === undefined ? {} : { field_order: field_order.filter(isShown) }),
    fields: Object.fromEntries(
      entriesOf(fields)
        .filter(([key]) => isShown(key))
        .map(([key, field]) => [key, visibleField(field, view)]),
    ),
  } as ObjectDefinition;
}

/** A caller who may not read the target of a reference sees a reference without a target. */
function visibleField(field: FieldDefinition, view: Visibility): FieldDefinition {
  const { reference_object_type: target, ...rest } = withoutOldKey(field);
  const isShown = target !== undefined && view.isReadable(target);
  return isShown ? { ...rest, reference_object_type: target } : rest;
}

type WorkflowDefinition = NonNullable<DefinitionDocument['workflows']>[string];

/** Approvers are people and teams; a condition is about a field. `objects` have the workflow. */
function visibleWorkflow(
  workflow: WorkflowDefinition,
  { directory, isReadableField }: Visibility,
  objects: readonly string[],
) {
  const visible = (transition: Transition) => {
    if (typeof transition === 'string' || !directory) return transitionTarget(transition);
    const { when, ...gate } = transition;
    const isShown = when && objects.some((object) => isReadableField(object, when.field));
    return isShown ? { ...gate, when } : gate;
  };
  const statuses = entriesOf(workflow.statuses).map(([id, status]) => {
    const { transitions, ...rest } = withoutOldKey(status);
    return [
      id,
      { ...rest, ...(transitions === undefined ? {} : { transitions: transitions.map(visible) }) },
    ];
  });
  return { ...workflow, statuses: Object.fromEntries(statuses) } as WorkflowDefinition;
}

function visibleRole(role: RoleDefinition, view: Visibility): RoleDefinition {
  const { objects, ...rest } = withoutOldKey(role);
  if (objects === undefined) return rest;
  const grants = entriesOf(objects)
    .filter(([objectType]) => view.isReadable(objectType))
    .map(([objectType, { fields, ...grant }]) => {
      const readable = entriesOf(fields).filter(([key]) => view.isReadableField(objectType, key));
      return [
        objectType,
        { ...grant, ...(fields === undefined ? {} : { fields: Object.fromEntries(readable) }) },
      ];
    });
  return { ...rest, objects: Object.fromEntries(grants) };
}

/** Roles of people are shown to administrators only. */
function visiblePeople({ users, teams }: DefinitionDocument, { directory }: Visibility) {
  if (!directory) return {};
  const visibleUsers = entriesOf(users).map(([email, user]) => {
    const shown: UserDefinition = { ...user, roles: [] };
    return [email, shown] as const;
  });
  return {
    ...(teams === undefined ? {} : { teams }),
    ...(users === undefined ? {} : { users: Object.fromEntries(visibleUsers) }),
  };
}
