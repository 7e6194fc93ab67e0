// An empty page: its meaning, and at most one action.

import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly text?: string;
  readonly action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" ta="center" p="4rem 1rem">
      <Text fz="md" fw={600}>
        {title}
      </Text>
      {text !== undefined && (
        <Text c="dimmed" mb="sm" maw="28rem">
          {text}
        </Text>
      )}
      {action}
    </Stack>
  );
}
