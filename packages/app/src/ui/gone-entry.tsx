// In place of an object or a workflow that the data model does not have. Its changes may have been discarded just now:
// then the overview follows.

import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import { DefinitionFrame } from './definition-frame.tsx';
import { EmptyState } from './empty-state.tsx';
import { ModelButton } from './model-button.tsx';

/** True when the page has shown the entry with this key. */
export function useWasThere(key: string, isThere: boolean): boolean {
  const [shown, setShown] = useState<string>();
  if (isThere && shown !== key) setShown(key);
  return shown === key;
}

interface GoneEntryProps {
  readonly title: string;
  readonly text: string;
  readonly wasThere: boolean;
}

export function GoneEntry({ title, text, wasThere }: GoneEntryProps) {
  const t = useT();
  const { workspace } = useSession();
  if (wasThere) return <Navigate to="/$workspace/settings/model" params={{ workspace }} replace />;
  return (
    <DefinitionFrame title={title}>
      <EmptyState title={text} text={t('model.noSuchObjectText')} action={<ModelButton />} />
    </DefinitionFrame>
  );
}
