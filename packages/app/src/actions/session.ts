// The way out.

import type { ActionSource } from './action.ts';
import { signOut } from './sign-out.ts';

export const sessionActions: ActionSource = ({ t, session }) => [
  {
    id: 'session.signOut',
    group: 'session',
    label: t('session.signOut'),
    icon: 'exit',
    keywords: t('session.signOutKeywords'),
    run: () => void signOut(session),
  },
];
