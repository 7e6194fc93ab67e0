// The way out.

import type { ActionSource } from './action.ts';
import { signOut } from './sign-out.ts';
import { stopViewing } from './viewing.ts';

export const sessionActions: ActionSource = (context) =>
  context.session.me.viewing === undefined ? ownSession(context) : viewingSession(context);

const viewingSession: ActionSource = ({ t, session }) => {
  const { id, name, email } = session.me.user;
  return [
    {
      id: 'session.stopViewing',
      group: 'session',
      label: t('viewing.stop', { name: name ?? email ?? `#${id}` }),
      icon: 'exit',
      run: () => void stopViewing(session),
    },
  ];
};

const ownSession: ActionSource = ({ t, session }) => [
  {
    id: 'session.signOut',
    group: 'session',
    label: t('session.signOut'),
    icon: 'exit',
    keywords: t('session.signOutKeywords'),
    run: () => void signOut(session),
  },
];
