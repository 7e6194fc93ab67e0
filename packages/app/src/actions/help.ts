// Help: the list of keys; and the link to the page that is open.

import { copyLink } from '../lib/copy-link.ts';
import { showToast } from '../ui/toast.ts';
import type { ActionSource } from './action.ts';
import { openShortcuts } from './shortcuts-state.ts';

export const helpActions: ActionSource = ({ t }) => [
  {
    id: 'help.copyLink',
    group: 'page',
    label: t('palette.copyLink'),
    icon: 'copy',
    keywords: t('palette.copyLinkKeywords'),
    run: () =>
      void copyLink().then((isCopied) =>
        showToast(
          isCopied ? { text: t('record.copied') } : { text: t('copy.refused'), isProblem: true },
        ),
      ),
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
