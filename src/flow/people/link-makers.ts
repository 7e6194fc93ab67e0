// The makers of one-time links, judged when a link is listed, mailed or used: a link of somebody who is no longer an
// administrator signs nobody in (docs/design/sessions.md, D730).

import { loadMember, loadMembersById } from '../../control/people/people.ts';
import { loadOpenLinks, type OpenLink } from '../../control/people/sign-in-links.ts';
import { loadModel } from '../../control/workspace/workspaces.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { isActiveAdministrator } from '../../model/rights/administrator-roles.ts';
import type { Queryable } from '../../postgres/db.ts';

/** True for links without a maker, of the operator or of their person. */
export async function isMakerEntitled(
  db: Queryable,
  { workspace_id, maker_user_id }: Made,
  loadInForce: (id: number) => Promise<WorkspaceModel | undefined> = (id) => loadModel(db, id),
): Promise<boolean> {
  if (maker_user_id === null) return true;
  const model = await loadInForce(workspace_id);
  if (model === undefined) return false;
  return isActiveAdministrator(model, await loadMember(db, model.schema, maker_user_id));
}

interface Made {
  readonly workspace_id: number;
  readonly maker_user_id: number | null;
}

export type ListedLink = Omit<OpenLink, 'maker_user_id'>;

/** The links of a person that can be used, the newest first. */
export async function loadUsableLinks(
  db: Queryable,
  model: WorkspaceModel,
  userId: number,
): Promise<readonly ListedLink[]> {
  const links = await loadOpenLinks(db, { workspace_id: model.workspace.id, user_id: userId });
  const ids = links.flatMap(({ maker_user_id }) => maker_user_id ?? []);
  const makers = await loadMembersById(db, model.schema, [...new Set(ids)]);
  return links.flatMap(({ maker_user_id, ...link }) => {
    const maker = makers.find(({ id }) => id === maker_user_id);
    return maker_user_id === null || isActiveAdministrator(model, maker) ? [link] : [];
  });
}
