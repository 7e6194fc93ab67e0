// `renamed_from` of a definition document: which entries of the definition before have another key now, and
// that definition as it reads with the new keys. The changes of the database are rename steps (diff-renames.ts).

import type {
  DefinitionDocument,
  FieldDefinition,
  ObjectDefinition,
  RoleDefinition,
  Transition,
} from '../../model/definition/definition.ts';
import { WORK_ITEMS } from '../../model/definition/model.ts';
import type { Rename, RenamePlace } from '../../model/definition/rename.ts';
import { renameInExpression } from '../../model/formulas/formula-syntax.ts';
import { type RollupDefinition, renameInRollup } from '../../model/rollups/rollup-words.ts';
import { ownValue } from '../../model/text/own-value.ts';
import { objectsOfWorkflow } from './workflow-objects.ts';

type Entries = Readonly<Record<string, { readonly renamed_from?: string }>>;

/** The entries of a document that can be renamed, in the order in which they are. */
function placesOf(document: DefinitionDocument): readonly (readonly [RenamePlace, Entries])[] {
  const { objects, relationships = {}, workflows = {}, roles = {} } = document;
  return [
    [{ section: 'objects' }, objects],
    ...Object.entries(objects).map(
      ([object, { fields }]) => [{ section: 'fields', object }, fields] as const,
    ),
    [{ section: 'relationships' }, relationships],
    ...Object.entries(workflows).map(
      ([workflow, { statuses }]) => [{ section: 'statuses', workflow }, statuses] as const,
    ),
    [{ section: 'roles' }, roles],
  ];
}

/** The path of a place, such as `objects.deals.fields`. */
export function pathOfPlace(place: RenamePlace): readonly string[] {
  if (place.section === 'fields') return ['objects', place.object, 'fields'];
  if (place.section === 'statuses') return ['workflows', place.workflow, 'statuses'];
  return [place.section];
}

/** Every entry that gives its previous name. */
export function renamesIn(document: DefinitionDocument): readonly Rename[] {
  return placesOf(document).flatMap(([place, entries]) =>
    Object.entries(entries).flatMap(([new_key, { renamed_from: old_key }]) =>
      old_key === undefined ? [] : [{ place, old_key, new_key }],
    ),
  );
}

export interface FoundRenames {
  readonly renames: readonly Rename[];
  /** The renames of new entries from a name that does not exist. */
  readonly missing: readonly Rename[];
}

/**
 * The renames between two documents: the new key is not there yet and the old one is. An entry that is there already
 * was renamed before.
 */
export function findRenames(before: DefinitionDocument, after: DefinitionDocument): FoundRenames {
  const renames: Rename[] = [];
  const missing: Rename[] = [];
  const objects = new Map<string, string>();
  for (const rename of renamesIn(after)) {
    const { place: renamedPlace, old_key, new_key } = rename;
    const entries = entriesBefore(before, renamedPlace, objects);
    if (entries === undefined || ownValue(entries, new_key) !== undefined) continue;
    const isThere = ownValue(entries, old_key) !== undefined;
    (isThere ? renames : missing).push(rename);
    if (isThere && renamedPlace.section === 'objects') objects.set(new_key, old_key);
  }
  return { renames, missing };
}

/** Undefined when what holds the entry is new itself. `objects`: their old keys by the new ones. */
function entriesBefore(
  before: DefinitionDocument,
  place: RenamePlace,
  objects: ReadonlyMap<string, string>,
): Entries | undefined {
  if (place.section === 'statuses') return ownValue(before.workflows, place.workflow)?.statuses;
  if (place.section !== 'fields') return before[place.section] ?? {};
  return ownValue(before.objects, objects.get(place.object) ?? place.object)?.fields;
}

/** Keys of one place: the others by those that are known, or the same. */
type KeyMap = (key: string) => string;

const SAME: KeyMap = (key) => key;

/** The new keys of a place by the old ones. */
type NewKeys = (place: RenamePlace) => KeyMap;

function newKeysOf(renames: readonly Rename[]): NewKeys {
  const byPlace = new Map<string, Map<string, string>>();
  for (const { place, old_key, new_key } of renames) {
    const name = nameOfPlace(place);
    const keys = byPlace.get(name) ?? new Map<string, string>();
    byPlace.set(name, keys.set(old_key, new_key));
  }
  return (place) => {
    const keys = byPlace.get(nameOfPlace(place));
    return keys === undefined ? SAME : (key) => keys.get(key) ?? key;
  };
}

export function nameOfPlace(place: RenamePlace): string {
  return pathOfPlace(place).join('.');
}

/**
 * The document with the new keys, wherever it names a renamed entry: objects, or the parts of objects that have their
 * new keys.
 */
export function renameKeys(
  document: DefinitionDocument,
  renames: readonly Rename[],
): DefinitionDocument {
  const keysOf = newKeysOf(renames);
  const { relationships, workflows, work_item_types } = document;
  const typed = keysOf({ section: 'objects' });
  return {
    ...document,
    objects: mapEntries(document.objects, typed, (object, type) =>
      renamedObject(object, typed, {
        own: keysOf({ section: 'fields', object: type }),
        rollup: (one) => renamedRollup(one, document, keysOf),
      }),
    ),
    relationships: mapEntries(relationships, keysOf({ section: 'relationships' }), (link) => ({
      ...link,
      from: typed(link.from),
      to: typed(link.to),
    })),
    workflows: mapEntries(workflows, SAME, (workflow, id) => {
      const [object] = objectsOfWorkflow(document, id);
      const fields =
        object === undefined ? SAME : keysOf({ section: 'fields', object: typed(object) });
      return renamedWorkflow(workflow, keysOf({ section: 'statuses', workflow: id }), fields);
    }),
    work_item_types: mapEntries(work_item_types, SAME, (type) =>
      renamedType(type, keysOf({ section: 'fields', object: WORK_ITEMS })),
    ),
    roles: mapEntries(document.roles, keysOf({ section: 'roles' }), (role) =>
      renamedRole(role, keysOf),
    ),
    users: mapEntries(document.users, SAME, (user) => ({
      ...user,
      roles: user.roles.map(keysOf({ section: 'roles' })),
    })),
  };
}

type WorkflowDefinition = NonNullable<DefinitionDocument['workflows']>[string];
type TypeDefinition = NonNullable<DefinitionDocument['work_item_types']>[string];

/** The entries with new keys, in the order of the document. */
function mapEntries<Value>(
  entries: Readonly<Record<string, Value>> = {},
  keys: KeyMap,
  map: (value: Value, key: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(entries).map(([old, value]) => {
      const key = keys(old);
      return [key, map(value, key)];
    }),
  );
}

/** The new keys of the fields of an object, and those in its rollups. */
interface FieldKeys {
  readonly own: KeyMap;
  readonly rollup: (rollup: RollupDefinition) => RollupDefinition;
}

function renamedObject(object: ObjectDefinition, types: KeyMap, keys: FieldKeys): ObjectDefinition {
  const fields = keys.own;
  const { display_field: display, subtitle_field: subtitle, field_order: order } = object;
  return {
    ...object,
    fields: mapEntries(object.fields, fields, (field) => renamedField(field, types, keys)),
    ...(typeof display === 'string' ? { display_field: fields(display) } : {}),
    ...(subtitle === undefined ? {} : { subtitle_field: fields(subtitle) }),
    ...(order === undefined ? {} : { field_order: order.map(fields) }),
  };
}

function renamedField(field: FieldDefinition, types: KeyMap, keys: FieldKeys): FieldDefinition {
  const { reference_object_type: target, expression, rollup } = field;
  return {
    ...field,
    ...(target === undefined ? {} : { reference_object_type: types(target) }),
    ...(expression === undefined ? {} : { expression: renameInExpression(expression, keys.own) }),
    ...(rollup === undefined ? {} : { rollup: keys.rollup(rollup) }),
  };
}

function renamedRollup(
  rollup: RollupDefinition,
  { objects }: DefinitionDocument,
  keysOf: NewKeys,
): RollupDefinition {
  const { object_type: former } = rollup.reference;
  const object_type = keysOf({ section: 'objects' })(former);
  const { workflow = '' } = ownValue(objects, former) ?? {};
  const statuses = keysOf({ section: 'statuses', workflow });
  const renamed = renameInRollup(rollup, {
    field: keysOf({ section: 'fields', object: object_type }),
    status: (id) => (typeof id === 'string' ? statuses(id) : id),
  }) as RollupDefinition;
  return { ...renamed, reference: { ...renamed.reference, object_type } };
}

function renamedWorkflow(
  workflow: WorkflowDefinition,
  statuses: KeyMap,
  fields: KeyMap,
): WorkflowDefinition {
  if (statuses === SAME && fields === SAME) return workflow;
  const { status_order: order } = workflow;
  return {
    ...workflow,
    initial: statuses(workflow.initial),
    ...(order === undefined ? {} : { status_order: order.map(statuses) }),
    statuses: mapEntries(workflow.statuses, statuses, (status) =>
      status.transitions === undefined
        ? status
        : {
            ...status,
            transitions: status.transitions.map((one) => renamedMove(one, statuses, fields)),
          },
    ),
  };
}

function renamedMove(transition: Transition, statuses: KeyMap, fields: KeyMap): Transition {
  if (typeof transition === 'string') return statuses(transition);
  const { when } = transition;
  return {
    ...transition,
    to: statuses(transition.to),
    ...(when === undefined ? {} : { when: { ...when, field: fields(when.field) } }),
  };
}

function renamedType(type: TypeDefinition, fields: KeyMap): TypeDefinition {
  return type.fields === undefined ? type : { ...type, fields: type.fields.map(fields) };
}

function renamedRole(role: RoleDefinition, keysOf: NewKeys): RoleDefinition {
  if (role.objects === undefined) return role;
  const objects = mapEntries(role.objects, keysOf({ section: 'objects' }), (grant, object) =>
    grant.fields === undefined
      ? grant
      : {
          ...grant,
          fields: mapEntries(grant.fields, keysOf({ section: 'fields', object }), (one) => one),
        },
  );
  return { ...role, objects };
}

/** The document without `renamed_from`: it alone is not a change. */
export function withoutRenames(document: DefinitionDocument): DefinitionDocument {
  const plain = <Entry extends object>(entry: Entry & { readonly renamed_from?: string }) => {
    const { renamed_from: _, ...rest } = entry;
    return rest as Entry;
  };
  const { objects, relationships, workflows, roles } = document;
  return {
    ...document,
    objects: mapEntries(objects, SAME, (object) => ({
      ...plain(object),
      fields: mapEntries(object.fields, SAME, plain),
    })),
    ...(relationships && { relationships: mapEntries(relationships, SAME, plain) }),
    ...(workflows && {
      workflows: mapEntries(workflows, SAME, (workflow) => ({
        ...workflow,
        statuses: mapEntries(workflow.statuses, SAME, plain),
      })),
    }),
    ...(roles && { roles: mapEntries(roles, SAME, plain) }),
  };
}
