// A part of a page of settings: its heading, description and content.

import { Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Text id={id} component="h2" fz="md" fw={600} mb="md">
        {title}
      </Text>
      {text !== undefined && (
        <Text c="dimmed" mt="-sm" mb="lg" maw="36rem">
          {text}
        </Text>
      )}
      {children}
    </section>
  );
}
