// A store of files for tests whose workspaces have none: in a folder that nothing makes.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore } from '../src/files/file-store.ts';

export const NO_FILES = openFileStore({
  dataDirectory: join(tmpdir(), 'no-files'),
  filesBucket: undefined,
});
