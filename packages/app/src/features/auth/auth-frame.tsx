// The frame of pages without a session: a card in the middle.

import { Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './auth-frame.module.css';

interface AuthFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function AuthFrame({ title, children }: AuthFrameProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className={classes.frame}>
      <div className={classes.card}>
        <svg className={classes.mark} viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" />
          <path d="M4 5h8M4 8h8M4 11h5" />
        </svg>
        <Text component="h1" fz="1.125rem" fw={600} mb="xs">
          {title}
        </Text>
        {children}
      </div>
    </main>
  );
}
