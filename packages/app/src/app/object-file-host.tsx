// The dialog that makes an object from a file, while it is open.

import { useObjectFile } from '../actions/object-file-state.ts';
import { later } from '../lib/later.tsx';

const ObjectFile = later(() => import('../features/imports/object-file.tsx'));

export function ObjectFileHost() {
  const close = useObjectFile();
  return close === undefined ? null : <ObjectFile onClose={close} />;
}
