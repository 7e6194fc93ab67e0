// Actions that choose the objects of the navigation, or switch to another theme or language.

import { LANGUAGES, languageName } from '../lib/messages/index.ts';
import type { ActionSource } from './action.ts';
import { chooseObjects } from './shown-objects-state.ts';

const THEMES = [
  { scheme: 'auto', key: 'theme.auto' },
  { scheme: 'light', key: 'theme.light' },
  { scheme: 'dark', key: 'theme.dark' },
] as const;

export const settingActions: ActionSource = (context) => {
  const { t, language, colorScheme } = context;
  const themes = THEMES.filter(({ scheme }) => scheme !== colorScheme);
  const languages = LANGUAGES.filter((one) => one !== language);
  return [
    {
      id: 'navigation.objects',
      group: 'settings',
      label: t('nav.objects'),
      icon: 'box',
      keywords: t('nav.objectsKeywords'),
      run: chooseObjects,
    },
    ...themes.map(({ scheme, key }) => ({
      id: `theme.${scheme}`,
      group: 'theme' as const,
      label: t(key),
      icon: 'sun' as const,
      keywords: t('theme.keywords'),
      run: () => context.setColorScheme(scheme),
    })),
    ...languages.map((one) => ({
      id: `language.${one}`,
      group: 'language' as const,
      label: t('language.choose', { language: languageName(one) }),
      icon: 'globe' as const,
      keywords: 'language Sprache',
      run: () => void context.chooseLanguage(one),
    })),
  ];
};
