// Going to each page.

import { readableOf } from '../lib/schema-queries.ts';
import { iconOf } from '../ui/object-icon.ts';
import type { Action, ActionContext, ActionSource } from './action.ts';

export const pageActions: ActionSource = (context) => [
  ...mainPages(context),
  ...settingPages(context).map((action) => ({
    ...action,
    // Found by the name of the group too.
    keywords: `${action.keywords ?? ''} ${context.t('settings.label')}`,
  })),
];

const mainPages: ActionSource = ({ t, session, objects, navigate }) => {
  const { workspace } = session;
  const params = { workspace };
  const readable = readableOf(objects);
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

const settingPages: ActionSource = (context) => {
  const { t, session, access, navigate } = context;
  const params = { workspace: session.workspace };
  // The others are about sessions and keys, and change things.
  const isViewing = session.me.viewing !== undefined;
  return [
    {
      id: 'page.profile',
      group: 'settings',
      label: t('profile.title'),
      icon: 'person',
      keywords: t('profile.keywords'),
      run: () => navigate({ to: '/$workspace/settings/profile', params }),
    },
    ...(isViewing ? [] : [sessionsPage(context)]),
    ...(!isViewing && access?.developer.allowed === true
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
    ...(!isViewing && access?.administrator.allowed === true ? administrationPages(context) : []),
  ];
};

function sessionsPage({ t, session, navigate }: ActionContext): Action {
  const params = { workspace: session.workspace };
  return {
    id: 'page.sessions',
    group: 'settings',
    label: t('sessions.title'),
    icon: 'devices',
    run: () => navigate({ to: '/$workspace/settings/sessions', params }),
  };
}

const administrationPages: ActionSource = ({ t, session, navigate }) => {
  const params = { workspace: session.workspace };
  return [
    {
      id: 'page.people',
      group: 'settings',
      label: t('people.title'),
      icon: 'person',
      keywords: t('people.keywords'),
      run: () => navigate({ to: '/$workspace/settings/people', params }),
    },
    {
      id: 'page.teams',
      group: 'settings',
      label: t('teams.title'),
      icon: 'group',
      keywords: t('teams.keywords'),
      run: () => navigate({ to: '/$workspace/settings/teams', params }),
    },
    {
      id: 'page.roles',
      group: 'settings',
      label: t('roles.title'),
      icon: 'lock',
      keywords: t('roles.keywords'),
      run: () => navigate({ to: '/$workspace/settings/roles', params }),
    },
    {
      id: 'page.methods',
      group: 'settings',
      label: t('methods.title'),
      icon: 'key',
      keywords: t('methods.keywords'),
      run: () => navigate({ to: '/$workspace/settings/sign-in-methods', params }),
    },
    {
      id: 'page.audit',
      group: 'settings',
      label: t('audit.title'),
      icon: 'table',
      keywords: t('audit.keywords'),
      run: () => navigate({ to: '/$workspace/settings/audit', params }),
    },
    {
      id: 'page.model',
      group: 'settings',
      label: t('model.title'),
      icon: 'columns',
      keywords: t('model.keywords'),
      run: () => navigate({ to: '/$workspace/settings/model', params }),
    },
  ];
};
