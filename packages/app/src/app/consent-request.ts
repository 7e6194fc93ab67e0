// The request of a program for access, while its person signs in: with up to 8,000 characters (docs/design/oauth.md, D891)
// it can be too long for the address of the sign-in page, and then stays in the storage of the tab.

import { redirect } from '@tanstack/react-router';
import { isPathOf } from '../lib/application-path.ts';
import { parseSearch, type SearchParams } from '../lib/search-params.ts';
import { readDraft, writeDraft } from '../lib/storage.ts';

interface Requested {
  readonly pathname: string;
  readonly searchStr: string;
}

const KEPT = 'authorize';

/** The search of the sign-in page: the path that it leads back to. */
export function searchOfSignIn(workspace: string, requested: Requested): SearchParams {
  const { pathname, searchStr } = requested;
  const path = pathname + searchStr;
  if (path === `/${workspace}`) return {};
  if (isPathOf(workspace, path) || !isConsent(workspace, requested)) return { to: path };
  writeDraft(KEPT, parseSearch(searchStr).authorize);
  return { to: pathname };
}

/** Redirects to the page of consent with the request that was kept, once; before drafts of another person are deleted. */
export function restoreConsent(workspace: string, requested: Requested): void {
  if (!isConsent(workspace, requested) || requested.searchStr !== '') return;
  const authorize = readDraft(KEPT);
  if (typeof authorize !== 'string') return;
  writeDraft(KEPT, undefined);
  const search = { authorize };
  throw redirect({ to: '/$workspace/authorize', params: { workspace }, search, replace: true });
}

function isConsent(workspace: string, { pathname }: Requested): boolean {
  return pathname === `/${workspace}/authorize`;
}
