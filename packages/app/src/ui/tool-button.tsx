// A tool above a list, which opens a small dialog (ui/floating.tsx).

import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ToolButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  readonly icon: IconName;
  readonly isOpen: boolean;
}

/** Takes the props that the dialog gives its target. */
export function ToolButton({ icon, isOpen, ...props }: ToolButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<Icon name={icon} size={14} />}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      {...props}
    />
  );
}
