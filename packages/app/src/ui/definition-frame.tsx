// A page about the definition: for administrators, with the changes that are collected at its lower edge.

import type { ReactNode } from 'react';
import { DraftBar } from './draft-bar.tsx';
import { SettingsFrame } from './settings-frame.tsx';

interface DefinitionFrameProps {
  readonly title: string;
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly width?: 'narrow' | 'broad';
  readonly children: ReactNode;
}

export function DefinitionFrame({ children, ...frame }: DefinitionFrameProps) {
  return (
    <SettingsFrame width="broad" {...frame}>
      {children}

      <DraftBar />
    </SettingsFrame>
  );
}
