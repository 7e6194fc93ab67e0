// Paths of the application that come from outside: the page that a person requested before signing in. Only the form
// that the application gives its own addresses is valid; a path that would have to be decoded or normalised first is
// refused.

import { LIMITS } from '../../limits.ts';

/** A slug, then segments that do not begin with a dot: no step upwards, no empty segment, nothing encoded. */
const PATH = /^\/([a-z0-9][a-z0-9-]*)(?:\/[\w-][\w.~-]*)*(?:\?[!"$-~]*)?$/;

/** True for what can follow `/app` in the address of a page of this workspace. */
export function isPathOf(workspace: string, path: string): boolean {
  return path.length <= LIMITS.applicationPathLength && PATH.exec(path)?.[1] === workspace;
}
