// A change of the document alone, such as a name or a rule: it needs no statement. Pure.

import { type ChangeKind, NO_LOCKS } from '../change-kind.ts';

export interface Note {
  readonly kind: 'note';
  /** The path in the document. */
  readonly path: string;
}

export const note: ChangeKind<Note> = Object.freeze({
  kind: 'note',
  path: ({ path }: Note) => path,
  locks: () => NO_LOCKS,
  statements: () => [],
});
