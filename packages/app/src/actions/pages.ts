// Going to each page.

import { iconOf } from '../ui/object-icon.ts';
import type { ActionSource } from './action.ts';

export const pageActions: ActionSource = (context) => [
  ...mainPages(context),
  ...settingPages(context),
];

const mainPages: ActionSource = ({ t, session, objects, navigate }) => {
  const { workspace } = session;
  const params = { workspace };
  const readable = objects.filter(({ permissions }) => permissions.read.allowed);
  return [
    {
      id: 'page.home',
      group: 'pages',
      label: t('nav.home'),
      icon: 'home',
      run: () => navigate({ to: '/$workspace', params }),
    },
    {
      id: 'page.notifications',
      group: 'pages',
      label: t('notifications.title'),
      icon: 'bell',
      run: () => navigate({ to: '/$workspace/notifications', params }),
    },
    {
      id: 'page.search',
      group: 'pages',
      label: t('search.field'),
      icon: 'search',
      run: () => navigate({ to: '/$workspace/search', params }),
    },
    {
      id: 'page.reports',
      group: 'pages',
      label: t('reports.title'),
      keywords: t('reports.keywords'),
      icon: 'bars',
      run: () => navigate({ to: '/$workspace/reports', params }),
    },
    ...readable.map((object) => ({
      id: `page.object.${object.object_type}`,
      group: 'pages' as const,
      label: object.name ?? object.object_type,
      keywords: `${object.singular_name ?? ''} ${object.object_type}`,
      icon: iconOf(object),
      run: () =>
        navigate({ to: '/$workspace/o/$type', params: { workspace, type: object.object_type } }),
    })),
  ];
};

const settingPages: ActionSource = ({ t, session, access, navigate }) => {
  const params = { workspace: session.workspace };
  return [
    {
      id: 'page.profile',
      group: 'settings',
      label: t('profile.title'),
      icon: 'person',
      keywords: t('profile.keywords'),
      run: () => navigate({ to: '/$workspace/settings/profile', params }),
    },
    {
      id: 'page.sessions',
      group: 'settings',
      label: t('sessions.title'),
      icon: 'devices',
      run: () => navigate({ to: '/$workspace/settings/sessions', params }),
    },
    ...(access?.developer.allowed === true
      ? [
          {
            id: 'page.keys',
            group: 'settings' as const,
            label: t('keys.title'),
            icon: 'key' as const,
            keywords: t('keys.keywords'),
            run: () => navigate({ to: '/$workspace/settings/keys', params }),
          },
          {
            id: 'page.webhooks',
            group: 'settings' as const,
            label: t('webhooks.title'),
            icon: 'webhook' as const,
            keywords: t('webhooks.keywords'),
            run: () => navigate({ to: '/$workspace/settings/webhooks', params }),
          },
        ]
      : []),
    ...(access?.administrator.allowed === true
      ? [
          {
            id: 'page.model',
            group: 'settings' as const,
            label: t('model.title'),
            icon: 'columns' as const,
            keywords: t('model.keywords'),
            run: () => navigate({ to: '/$workspace/settings/model', params }),
          },
        ]
      : []),
  ];
};
