// The dialog with the objects of the navigation, while it is open.

import { useObjectsChoice } from '../actions/shown-objects-state.ts';
import { later } from '../lib/later.tsx';

const ShownObjects = later(() => import('./shown-objects-dialog.tsx'));

export function ShownObjectsHost() {
  const close = useObjectsChoice();
  return close === undefined ? null : <ShownObjects onClose={close} />;
}
