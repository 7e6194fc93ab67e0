// The place of the dialog for a new record, above every page.

import { useEffect } from 'react';
import { later } from '../lib/later.tsx';
import { closeCreation, useCreation } from './creation.ts';

const CreationDialog = later(() => import('./creation-dialog.tsx'));

export function CreationHost() {
  const request = useCreation();
  useEffect(() => closeCreation, []);
  if (request === undefined) return null;
  return <CreationDialog key={request.type} request={request} onClose={closeCreation} />;
}
