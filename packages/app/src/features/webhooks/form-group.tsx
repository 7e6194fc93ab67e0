// A part of the form with a heading of its own, its description, and what was refused of it.

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './webhook-form.module.css';

interface FormGroupProps {
  readonly title: string;
  readonly text?: string;
  readonly problem?: string | undefined;
  /** True: its choices are side by side where there is room. */
  readonly isFlow?: boolean;
  readonly children: ReactNode;
}

export function FormGroup({ title, text, problem, isFlow = false, children }: FormGroupProps) {
  return (
    <div className={classes.group} data-problem={problem}>
      <h3 className={classes.name}>{title}</h3>
      {text !== undefined && (
        <Text c="dimmed" fz="xs" maw="36rem">
          {text}
        </Text>
      )}
      {isFlow ? <div className={classes.flow}>{children}</div> : children}
      {problem !== undefined && (
        <Text c="var(--red)" fz="xs" mt={2} role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

/** A hint in place of choices that need another choice first. */
export function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" fz="xs" maw="36rem">
      {children}
    </Text>
  );
}
