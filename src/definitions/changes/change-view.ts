// The public form of a change: its place in the document and the action there. Pure.

import type { ChangeAction, ChangeView } from '../../model/definition/revision.ts';
import type { Change } from './change.ts';
import { kindOf } from './kinds/index.ts';

const ACTIONS: Readonly<Record<string, ChangeAction>> = Object.freeze({
  '+': 'add',
  '-': 'remove',
});

export function viewChange(change: Change): ChangeView {
  const { summary, ends } = change;
  const kind = kindOf(change);
  const action = kind.action ?? ACTIONS[summary.charAt(0)] ?? 'change';
  const renamed = action === 'rename' && 'old_key' in change ? { from: change.old_key } : {};
  const ending = ends === undefined ? {} : { ends };
  const altering = kind.alters === undefined ? {} : { alters: kind.alters };
  return { path: kind.path(change), action, summary, ...renamed, ...ending, ...altering };
}
