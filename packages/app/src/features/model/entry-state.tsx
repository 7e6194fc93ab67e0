// The effect of the draft on an entry: a word after its name.

import type { DefinitionDocument, Path } from '../../lib/definition/document.ts';
import { valueAt } from '../../lib/definition/document.ts';
import { isSame } from '../../lib/definition/edits.ts';
import { pathInForce } from '../../lib/definition/rename.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import classes from './model.module.css';

export type EntryState = 'same' | 'new' | 'changed' | 'removed';

export function stateOf(
  present: DefinitionDocument,
  document: DefinitionDocument,
  path: Path,
): EntryState {
  const before = valueAt(present, pathInForce(present, document, path));
  const after = valueAt(document, path);
  if (before === after) return 'same';
  if (before === undefined) return 'new';
  if (after === undefined) return 'removed';
  return isSame(before, after) ? 'same' : 'changed';
}

const WORDS: Readonly<Record<Exclude<EntryState, 'same'>, PlainKey>> = {
  new: 'model.new',
  changed: 'model.changed',
  removed: 'model.removed',
};

export function StateMark({ state }: { readonly state: EntryState }) {
  const t = useT();
  if (state === 'same') return null;
  return (
    <span className={classes.mark} data-state={state}>
      {t(WORDS[state])}
    </span>
  );
}
