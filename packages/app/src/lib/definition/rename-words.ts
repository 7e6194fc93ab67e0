// Keys in words: what is wrong with one, what a new one keeps, and what clients notice of it. Pure.

import { KEY_PATTERN, OBJECT_TYPE_PATTERN } from '@workspace-records/client';
import type { PlainKey } from '../messages/index.ts';
import { type DefinitionDocument, isEntries, type Path, valueAt } from './document.ts';

interface RenameWords {
  readonly keeps: PlainKey;
  readonly notice: PlainKey;
}

const WORDS: Readonly<Record<string, RenameWords>> = {
  objects: { keeps: 'rename.objectKeeps', notice: 'rename.objectNotice' },
  fields: { keeps: 'rename.fieldKeeps', notice: 'rename.fieldNotice' },
  relationships: { keeps: 'rename.relationshipKeeps', notice: 'rename.relationshipNotice' },
  statuses: { keeps: 'rename.statusKeeps', notice: 'rename.statusNotice' },
  roles: { keeps: 'rename.roleKeeps', notice: 'rename.roleNotice' },
};

/** Undefined: entries of this kind have no other key. */
export function renameWords(path: Path): RenameWords | undefined {
  return WORDS[path.at(-2) ?? ''];
}

const WITH_DIGIT: ReadonlySet<string | undefined> = new Set(['objects', 'statuses']);

/** `path`: of the entry that is to have the key. */
export function keyProblem(
  document: DefinitionDocument,
  path: Path,
  key: string,
): PlainKey | undefined {
  const hasDigit = WITH_DIGIT.has(path.at(-2));
  if (!new RegExp(hasDigit ? OBJECT_TYPE_PATTERN : KEY_PATTERN).test(key)) {
    return hasDigit ? 'model.keyForm' : 'fields.keyForm';
  }
  const entries = valueAt(document, path.slice(0, -1));
  const isTaken = isEntries(entries) && Object.hasOwn(entries, key) && key !== path.at(-1);
  return isTaken ? 'model.keyTaken' : undefined;
}
