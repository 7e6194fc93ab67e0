// The form of an action, and what those who offer one know.

import type { MantineColorScheme } from '@mantine/core';
import type { NavigateOptions } from '@tanstack/react-router';
import type { Access, ObjectSummary } from '@workspace-records/client';
import type { KnownWorkspace } from '../lib/known-workspaces.ts';
import type { Language, Translate } from '../lib/messages/index.ts';
import type { Session } from '../lib/session.ts';
import type { Glyph } from '../ui/icon.tsx';

export interface Action {
  readonly id: string;
  readonly group:
    | 'page'
    | 'workspace'
    | 'create'
    | 'pages'
    | 'settings'
    | 'theme'
    | 'language'
    | 'session';
  readonly label: string;
  readonly icon: Glyph;
  /** More words that the search of the palette finds the action by. */
  readonly keywords?: string;
  /** A single key that does the same. */
  readonly shortcut?: string | undefined;
  run(): void;
}

export interface ActionContext {
  readonly t: Translate;
  readonly language: Language;
  readonly session: Session;
  /** The objects that the person may see; empty while they are loaded. */
  readonly objects: readonly ObjectSummary[];
  /** The person's rights beyond objects; undefined while they are loaded. */
  readonly access: Access | undefined;
  /** The other workspaces that this browser is signed in to. */
  readonly workspaces: readonly KnownWorkspace[];
  readonly colorScheme: MantineColorScheme;
  setColorScheme(scheme: MantineColorScheme): void;
  chooseLanguage(language: Language): Promise<void>;
  navigate(target: NavigateOptions): void;
}

export type ActionSource = (context: ActionContext) => readonly Action[];
