// Imports into each object, for administrators, the deleted records of each, and the jobs.

import type { Translate } from '../lib/messages/index.ts';
import { readableOf } from '../lib/schema-queries.ts';
import type { Action, ActionSource } from './action.ts';
import { makeFromFile } from './object-file-state.ts';

export const transferActions: ActionSource = ({ t, session, objects, access, navigate }) => {
  const { workspace } = session;
  const readable = readableOf(objects);
  const deletable = readable.filter(({ permissions }) => permissions.delete.allowed);
  const imported = access?.administrator.allowed === true ? readable : [];
  const isChanging = access?.administrator.allowed === true && session.me.viewing === undefined;
  return [
    ...(isChanging ? [objectFromFile(t)] : []),
    {
      id: 'page.jobs',
      group: 'pages',
      label: t('jobs.title'),
      icon: 'refresh',
      keywords: t('jobs.keywords'),
      run: () => navigate({ to: '/$workspace/jobs', params: { workspace } }),
    },
    ...deletable.map(({ object_type: type, name }) => ({
      id: `trash.${type}`,
      group: 'pages' as const,
      label: t('trash.of', { name: name ?? type }),
      icon: 'trash' as const,
      keywords: t('trash.keywords'),
      run: () => navigate({ to: '/$workspace/o/$type/deleted', params: { workspace, type } }),
    })),
    ...imported.map(({ object_type: type, name }) => ({
      id: `import.${type}`,
      group: 'pages' as const,
      label: t('import.into', { name: name ?? type }),
      icon: 'upload' as const,
      keywords: t('import.keywords'),
      run: () => navigate({ to: '/$workspace/import/$type', params: { workspace, type } }),
    })),
  ];
};

function objectFromFile(t: Translate): Action {
  return {
    id: 'object.fromFile',
    group: 'create',
    label: t('start.fromFile'),
    icon: 'table',
    keywords: t('import.keywords'),
    run: makeFromFile,
  };
}
