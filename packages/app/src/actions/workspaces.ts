// Going to another workspace that this browser is signed in to.

import type { ActionSource } from './action.ts';

export const workspaceActions: ActionSource = ({ t, workspaces, navigate }) =>
  workspaces.map(({ slug, name }) => ({
    id: `workspace.${slug}`,
    group: 'workspace',
    label: name,
    icon: 'box',
    keywords: t('workspaces.keywords', { slug }),
    run: () => navigate({ to: '/$workspace', params: { workspace: slug } }),
  }));
