// Help: the list of keys; and the link to the page that is open.

import { copyAddress } from '../ui/copy-address.ts';
import type { ActionSource } from './action.ts';
import { openShortcuts } from './shortcuts-state.ts';

export const helpActions: ActionSource = ({ t }) => [
  {
    id: 'help.copyLink',
    group: 'page',
    label: t('palette.copyLink'),
    icon: 'copy',
    keywords: t('palette.copyLinkKeywords'),
    run: () => void copyAddress(t),
  },
  {
    id: 'help.shortcuts',
    group: 'page',
    label: t('shortcuts.title'),
    icon: 'help',
    keywords: t('shortcuts.keywords'),
    shortcut: '?',
    run: openShortcuts,
  },
];
