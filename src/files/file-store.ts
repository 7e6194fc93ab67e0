// Opens the store of files of the configuration: a folder or a bucket.

import { join } from 'node:path';
import type { BucketSettings } from '../bucket-settings.ts';
import { openBucketStore } from './bucket-store.ts';
import { openFolderStore } from './folder-store.ts';
import type { FileStore } from './stored-bytes.ts';

export interface StoreSettings {
  readonly dataDirectory: string;
  /** Undefined: a folder in the data directory. */
  readonly filesBucket: BucketSettings | undefined;
}

/** Makes folders when the first file comes. */
export function openFileStore({ dataDirectory, filesBucket }: StoreSettings): FileStore {
  const folder = join(dataDirectory, 'files');
  return filesBucket === undefined ? openFolderStore(folder) : openBucketStore(filesBucket, folder);
}
