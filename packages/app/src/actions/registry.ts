// The actions available everywhere: one list, from which the palette, menus and keys are made. An action decides when
// it is offered; one that would be refused is not offered.

import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ObjectSummary } from '@workspace-records/client';
import { useMemo } from 'react';
import { useOtherWorkspaces } from '../lib/known-workspaces.ts';
import { changeLanguage } from '../lib/language-change.ts';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { accessQuery, objectsQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import type { Action, ActionContext } from './action.ts';
import { creationActions } from './creation.ts';
import { helpActions } from './help.ts';
import { pageActions } from './pages.ts';
import { sessionActions } from './session.ts';
import { settingActions } from './settings.ts';
import { transferActions } from './transfers.ts';
import { workspaceActions } from './workspaces.ts';

const SOURCES = [
  pageActions,
  transferActions,
  creationActions,
  helpActions,
  workspaceActions,
  settingActions,
  sessionActions,
];
const NOTHING: readonly ObjectSummary[] = [];

/** The actions that are offered now, in the order in which they are shown. */
export function useActions(): readonly Action[] {
  const t = useT();
  const language = useLanguage();
  const session = useSession();
  const navigate = useNavigate();
  const { data: objects = NOTHING } = useQuery(objectsQuery(session));
  const { data: access } = useQuery(accessQuery(session));
  const workspaces = useOtherWorkspaces(session.workspace);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return useMemo(() => {
    const context: ActionContext = {
      ...{
        t,
        language,
        session,
        objects,
        access,
        workspaces,
        colorScheme,
        setColorScheme,
        chooseLanguage: changeLanguage,
      },
      navigate: (target) => void navigate(target),
    };
    return SOURCES.flatMap((source) => source(context));
  }, [t, language, session, objects, access, workspaces, colorScheme, setColorScheme, navigate]);
}

export function actionsIn(actions: readonly Action[], group: string): readonly Action[] {
  return actions.filter((action) => action.group === group);
}
