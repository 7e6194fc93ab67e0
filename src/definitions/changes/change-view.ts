// How a change is shown: where it is in the document and what is done there. Pure.

import type { ChangeAction, ChangeView } from '../../model/revision.ts';
import type { Change } from './change.ts';

const ACTIONS: Readonly<Record<string, ChangeAction>> = Object.freeze({
  '+': 'add',
  '-': 'remove',
});

export function viewChange(change: Change): ChangeView {
  return { path: changePath(change), action: actionOf(change), summary: change.summary };
}

/** Steps of a part of a field, such as its index, are changes of the field. */
function actionOf({ kind, summary }: Change): ChangeAction {
  if (kind.startsWith('rename_')) return 'rename';
  return PARTS.has(kind) ? 'change' : (ACTIONS[summary.charAt(0)] ?? 'change');
}

const PARTS: ReadonlySet<Change['kind']> = new Set([
  'index_field',
  'unindex_field',
  'index_text',
  'unindex_text',
  'reorder_field',
  'make_unique',
  'drop_unique',
]);

function changePath(change: Change): string {
  if (change.path !== undefined) return change.path;
  switch (change.kind) {
    case 'put_user':
      return `users.${change.email}`;
    case 'put_team':
    case 'drop_team':
      return `teams.${change.team}`;
    case 'drop_links':
    case 'limit_links':
      return `relationships.${change.relationship}`;
    case 'rename_relationship':
      return `relationships.${change.new_key}`;
    case 'rename_role':
      return `roles.${change.new_key}`;
    case 'rename_status':
      return `workflows.${change.workflow}.statuses.${change.new_key}`;
    default:
      return recordPath(change);
  }
}

function recordPath(change: Change): string {
  const object = 'object' in change ? `objects.${change.object.object_type}` : '';
  return 'field' in change ? `${object}.fields.${change.field.key}` : object;
}
