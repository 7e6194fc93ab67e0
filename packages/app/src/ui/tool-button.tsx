// A tool above a list, which opens something: an icon and a word, or on a telephone the icon.

import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { type Glyph, Icon } from './icon.tsx';
import classes from './tool-button.module.css';

interface ToolButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  readonly icon: Glyph;
  /** True while the small dialog of the button is open (ui/floating.tsx). */
  readonly isOpen?: boolean;
  /** True while it changes the list. */
  readonly isActive?: boolean;
  /** The element, where it is a link. */
  readonly renderRoot?: (props: Record<string, unknown>) => ReactNode;
  /** True: the word stays where there is little room. */
  readonly keepsWord?: boolean;
}

/** Takes the props that the dialog gives its target. */
export function ToolButton(allProps: ToolButtonProps) {
  const { icon, isOpen, isActive, keepsWord, className = '', ...props } = allProps;
  return (
    <Button
      variant="subtle"
      color="gray"
      className={`${classes.tool} ${className}`}
      classNames={{ label: classes.label, section: classes.icon }}
      leftSection={<Icon name={icon} size={14} />}
      data-active={isActive || undefined}
      data-word={keepsWord || undefined}
      {...(isOpen === undefined ? {} : { 'aria-haspopup': 'dialog', 'aria-expanded': isOpen })}
      {...props}
    />
  );
}
