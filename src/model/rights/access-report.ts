// Why somebody may do something: the compiled rights of a set of roles, and for each right the roles that
// grant it. It is read off the rights themselves (access.ts), those of all roles and of each alone. Pure.

import type {
  FieldAccess,
  ObjectModel,
  Reach,
  RecordAction,
  WorkspaceModel,
} from '../definition/model.ts';
import { type Access, accessOf, type ObjectAccess } from './access.ts';

/** A right that is there or not. */
export interface FlagReport {
  readonly allowed: boolean;
  readonly roles: readonly string[];
}

export interface ActionReport {
  readonly reach: Reach | null;
  /** False: the object does not support the action. */
  readonly supported: boolean;
  readonly roles: readonly string[];
}

export interface FieldReport {
  readonly key: string;
  readonly name: string;
  readonly access: FieldAccess;
  readonly roles: readonly string[];
}

export interface ObjectReport {
  readonly object_type: string;
  readonly name: string;
  readonly actions: Readonly<Record<RecordAction, ActionReport>>;
  readonly fields: readonly FieldReport[];
}

/** The rights of a person, each with the roles that grant all of it; a right that is not granted has no roles. */
export interface AccessReport {
  readonly administrator: FlagReport;
  readonly developer: FlagReport;
  readonly directory: FlagReport;
  readonly assign_owner: FlagReport;
  readonly objects: readonly ObjectReport[];
}

/** Reports the access of a person with these roles; roles that the model does not have grant nothing. */
export function reportAccess(
  model: WorkspaceModel,
  roleKeys: readonly string[],
  objects: Iterable<ObjectModel> = model.objects.values(),
): AccessReport {
  const all = accessOf(model, roleKeys);
  const single = [...new Set(roleKeys)].map((key) => ({ key, access: accessOf(model, [key]) }));
  const flag = (name: Exclude<keyof Access, 'objects' | 'roles'>): FlagReport => ({
    allowed: all[name],
    roles: single.filter(({ access }) => access[name]).map(({ key }) => key),
  });
  return {
    administrator: flag('administrator'),
    developer: flag('developer'),
    directory: flag('directory'),
    assign_owner: flag('assign_owner'),
    objects: [...objects].map((object) => reportObject(object, all, single)),
  };
}

interface SingleRole {
  readonly key: string;
  readonly access: Access;
}

function reportObject(
  object: ObjectModel,
  all: Access,
  single: readonly SingleRole[],
): ObjectReport {
  const { object_type, name, capabilities } = object;
  const rights = rightsOn(all, object);
  const rolesThat = (grants: (alone: ObjectAccess) => boolean) =>
    single.filter(({ access }) => grants(rightsOn(access, object))).map(({ key }) => key);
  const action = (which: RecordAction): ActionReport => {
    const reach = rights.reach[which];
    const supported = which === 'read' || capabilities[which];
    const roles = reach === null ? [] : rolesThat((alone) => alone.reach[which] === reach);
    return { reach, supported, roles };
  };
  const fields = [...object.fields.values()].map((field): FieldReport => {
    const access = fieldAccess(rights, field.key);
    const roles =
      access === 'none' ? [] : rolesThat((alone) => fieldAccess(alone, field.key) === access);
    return { key: field.key, name: field.name, access, roles };
  });
  const actions = {
    create: action('create'),
    read: action('read'),
    update: action('update'),
    delete: action('delete'),
  };
  return { object_type, name, actions, fields };
}

function rightsOn({ objects }: Access, { object_type }: ObjectModel): ObjectAccess {
  const rights = objects.get(object_type);
  if (rights === undefined) throw new Error(`no access compiled for ${object_type}`);
  return rights;
}

function fieldAccess({ readable, writable }: ObjectAccess, key: string): FieldAccess {
  if (writable.has(key)) return 'write';
  return readable.has(key) ? 'read' : 'none';
}

/** The report as the person it is about may see it: without fields that they cannot read. */
export function reportForOneself(report: AccessReport): AccessReport {
  const objects = report.objects.map((object) => {
    const isReadable = object.actions.read.reach !== null;
    const fields = isReadable ? object.fields.filter(({ access }) => access !== 'none') : [];
    return { ...object, fields };
  });
  return { ...report, objects };
}
