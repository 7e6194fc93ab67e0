// The release of the service: the version of its package, and the commit that it was built from.

import { packageVersion } from '../../package-folder.ts';

export interface Release {
  readonly version: string;
  /** Seven hexadecimal digits or more; null when it runs from its sources, or was built outside of a repository. */
  readonly commit: string | null;
}

export function readRelease(): Release {
  // The build replaces it (scripts/build.mjs).
  return { version: packageVersion(), commit: process.env.BUILT_FROM_COMMIT || null };
}

/** `1.0.0 (0a1b2c3)`, as `--version` prints it. */
export function describeRelease({ version, commit }: Release): string {
  return commit === null ? version : `${version} (${commit})`;
}
