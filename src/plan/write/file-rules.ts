// The rules of an upload for a field: media type, bytes, name. Pure.

import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Caller,
  canReadField,
  canWriteField,
  objectAccess,
} from '../../model/rights/access.ts';
import type { ValueRules } from '../../model/values/field-type.ts';
import { requireObject } from '../read/read-plan.ts';

/** True when a field with these rules takes files of the media type. */
export function isMediaTypeOf({ types }: ValueRules, type: string): boolean {
  if (types === undefined) return true;
  return types.some((one) => one === type || (one.endsWith('/*') && isOfKind(type, one)));
}

function isOfKind(type: string, range: string): boolean {
  return type.startsWith(range.slice(0, -1));
}

/** Bytes of the largest file that a field with these rules takes. */
export function mostBytes({ max_bytes = LIMITS.fieldFileBytes }: ValueRules): number {
  return max_bytes;
}

/** An upload as a client asks for it. */
export interface UploadRequest {
  readonly object_type?: string | undefined;
  /** The key of the field that the file is for; undefined: any. */
  readonly field?: string | undefined;
}

/**
 * The rules of an upload: those of its field, or the widest of the fields that the caller may write. Errors:
 * `object_not_available`, `validation_failed` for a field that is none of files, `permission_denied`.
 */
export function planUpload(
  model: WorkspaceModel,
  caller: Caller,
  { object_type, field: key }: UploadRequest,
): ValueRules {
  if ((object_type === undefined) !== (key === undefined)) {
    const message = say('object_type_and_field');
    throw new ApiError('validation_failed', { param: 'field', message });
  }
  if (object_type === undefined || key === undefined) return widestRules(model, caller);
  const object = requireObject(model, caller, object_type);
  const field = object.file_fields.find((one) => one.key === key);
  if (field === undefined || !canReadField(caller, object, field)) {
    const message = say('file_field_not_found');
    throw new ApiError('validation_failed', { param: 'field', message });
  }
  if (!mayUploadFor(caller, object, field)) {
    throw new ApiError('permission_denied', { param: 'field', message: say('field_not_writable') });
  }
  return field.rules;
}

function widestRules({ objects }: WorkspaceModel, caller: Caller): ValueRules {
  const fields = [...objects.values()].flatMap((object) =>
    object.file_fields.filter((field) => mayUploadFor(caller, object, field)),
  );
  if (fields.length === 0) {
    throw new ApiError('permission_denied', { message: say('no_file_field_writable') });
  }
  const types = fields.some(({ rules }) => rules.types === undefined)
    ? {}
    : { types: fields.flatMap(({ rules }) => rules.types ?? []) };
  return { ...types, max_bytes: Math.max(...fields.map(({ rules }) => mostBytes(rules))) };
}

function mayUploadFor(caller: Caller, object: ObjectModel, field: Field): boolean {
  const { reach } = objectAccess(caller, object);
  const mayWrite = reach.create !== null || reach.update !== null;
  return (
    mayWrite &&
    field.editable &&
    canReadField(caller, object, field) &&
    canWriteField(caller, object, field)
  );
}

/** Marks that change the direction of the text around them: a name would show another ending than it has. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu;
const DIRECTORIES = /^.*[/\\]/su;

/** The name without directories, and without marks that hide its ending. Errors: `validation_failed`. */
export function requireFileName(sent: string): string {
  const name = sent.replaceAll(DIRECTIONS, '').replace(DIRECTORIES, '').trim();
  if (/^\.*$/.test(name)) return 'file';
  if (Buffer.byteLength(name) <= LIMITS.fileNameLength) return name;
  const message = say('name_too_long', { most: LIMITS.fileNameLength });
  throw new ApiError('validation_failed', { param: 'name', message });
}
