// A small dialog next to the element that opened it; on a narrow screen a sheet at its lower edge.

import { Drawer, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useT } from '../lib/messages/index.ts';
import classes from './floating.module.css';

interface FloatingProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The element that it is placed at, one element. */
  readonly target: ReactNode;
  readonly children: ReactNode;
}

export function Floating({ isOpen, onClose, title, target, children }: FloatingProps) {
  const t = useT();
  const isNarrow = useMediaQuery('(max-width: 30rem)', false, { getInitialValueInEffect: false });
  useEarlyEscape(isOpen && !isNarrow, onClose);
  if (isNarrow) {
    return (
      <>
        {target}
        <Drawer
          opened={isOpen}
          onClose={onClose}
          position="bottom"
          size="auto"
          closeOnClickOutside
          // A list that opens while it still slid in would stay where its field was then.
          transitionProps={{ duration: 0 }}
          title={title}
          classNames={{ content: classes.sheet }}
          closeButtonProps={{ 'aria-label': t('again.close') }}
        >
          {children}
        </Drawer>
      </>
    );
  }
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => {
        if (!opened) onClose();
      }}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      // Opened again while it still closed, it would be the old one.
      transitionProps={{ duration: 0 }}
      // A list that is open within closes first.
      closeOnEscape={false}
      withRoles={false}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={title}
        className={classes.dropdown}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) onClose();
        }}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/**
 * A dialog closes itself where it has the focus; a key pressed before that, in the page behind it, is meant for it
 * too.
 */
function useEarlyEscape(isOpen: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== 'Escape' || (target as Element).closest('[role=dialog], [role=listbox]')) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, onClose]);
}
