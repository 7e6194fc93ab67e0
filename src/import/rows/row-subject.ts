// The subject of a file's rows: records of an object, comments on them, or links between records of two objects.
// Comments and links are not objects of the workspace; an object in their place shares columns, look-ups and
// conversions.

import type {
  Field,
  ObjectModel,
  Relationship,
  WorkspaceModel,
} from '../../model/definition/model.ts';
import { systemField } from '../../model/definition/system-fields.ts';
import { nearestName } from '../../model/text/nearest-name.ts';
import { type Mapping, refuseMapping } from '../mapping/mapping.ts';
import {
  BODY_FIELD,
  CREATED_FIELD,
  commentObject,
  ID_FIELD,
  isCommentObject,
  RECORD_KEY,
} from './comment-fields.ts';

export type Subject =
  | { readonly kind: 'records'; readonly of: ObjectModel }
  | { readonly kind: 'comments'; readonly of: ObjectModel }
  | { readonly kind: 'links'; readonly of: ObjectModel; readonly relationship: Relationship };

export type Report = (path: string, problem: string) => void;

/** The other record of a link. */
export const TARGET_KEY = 'target_id';

/** No type of an object has a blank, so the name is free. */
const PREFIX = 'links of ';

/** True for the objects that stand for comments or links. */
export function isPseudoObject(object: ObjectModel): boolean {
  return isCommentObject(object) || object.object_type.startsWith(PREFIX);
}

/** The subject of the rows; throws when the mapping does not name one, or names an impossible one. */
export function subjectOf(
  model: WorkspaceModel,
  { object_type, comments_on, links_of, relationship: id }: Mapping,
  path: string,
): { readonly object: ObjectModel; readonly subject: Subject } {
  const refuse = (problem: string) => refuseMapping(path, [problem]);
  const given = Object.entries({ object_type, comments_on, links_of }).filter(([, name]) => name);
  const [[key, name] = ['object_type', ''], other] = given;
  if (other !== undefined) throw refuse(`${other[0]}: cannot be combined with ${key}`);
  const of = model.objects.get(name ?? '');
  if (of === undefined) {
    throw refuse(`${key}: ${missing('object type', name ?? '', [...model.objects.keys()])}`);
  }
  if (key !== 'links_of' && id !== undefined) throw refuse('relationship: needs links_of');
  if (key === 'object_type') return { object: of, subject: { kind: 'records', of } };
  if (key === 'comments_on') {
    if (!of.commentable) throw refuse(`comments_on: ${of.name} have no comments`);
    return { object: commentObject(of), subject: { kind: 'comments', of } };
  }
  const relationship = of.relationships.find((one) => one.id === id);
  if (relationship === undefined) {
    const known = of.relationships.map((one) => one.id);
    throw refuse(`relationship: ${missing(`relationship of ${name}`, id ?? '', known)}`);
  }
  if (relationship.via.kind === 'inverse' || !relationship.can_link) {
    throw refuse(`relationship: ${id} is written from the other side, or not at all`);
  }
  return { object: linkObject(of, relationship), subject: { kind: 'links', of, relationship } };
}

function linkObject(of: ObjectModel, relationship: Relationship): ObjectModel {
  const fields = [
    reference(RECORD_KEY, of.object_type),
    reference(TARGET_KEY, relationship.object_type),
  ];
  return {
    ...of,
    object_type: `${PREFIX}${of.object_type}`,
    fields: new Map(fields.map((field) => [field.key, field])),
  };
}

function reference(key: string, reference_object_type: string): Field {
  return systemField(key, key, 'reference', { system: false, reference_object_type });
}

/** Reports columns that comments and links need and the mapping lacks. */
export function requireTargets(
  { kind }: Subject,
  targets: readonly { readonly field: Field }[] | undefined,
  report: Report,
): void {
  if (targets === undefined || kind === 'records') return;
  const at = kind === 'comments' ? 'comments_on' : 'links_of';
  const given = new Set(targets.map(({ field }) => field.key));
  for (const key of [RECORD_KEY, kind === 'comments' ? BODY_FIELD.key : TARGET_KEY]) {
    if (!given.has(key)) report(at, `a column must give ${key}`);
  }
  if (kind === 'links' || given.has(ID_FIELD.key) || given.has(CREATED_FIELD.key)) return;
  report(at, 'a column must give id or created_at, so that a second run adds nothing');
}

export function missing(what: string, name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `there is no ${what} "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
}
