// The path of the page that a person requested before signing in, as a parameter of the sign-in page. Anybody can have
// written it, so only the form of the router's own addresses is valid (as in the service's application-path.ts).

import { LIMITS } from '@workspace-records/client';

/** A slug, then segments that do not begin with a dot: no step upwards, no empty segment, no encoding. */
const PATH = /^\/([a-z0-9][a-z0-9-]*)(?:\/[\w-][\w.~-]*)*(?:\?[!"$-~]*)?$/;

/** True for what can follow `/app` in the address of a page of this workspace. */
export function isPathOf(workspace: string, path: string): boolean {
  return path.length <= LIMITS.applicationPathLength && PATH.exec(path)?.[1] === workspace;
}
