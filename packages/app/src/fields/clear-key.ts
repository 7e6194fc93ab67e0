// Clearing a choice by keys: the cross next to it is for a mouse.

import type { KeyboardEvent } from 'react';

/** Backspace where no text is left to be taken away. */
export function clearOnBackspace(onChange: (draft: string) => void) {
  return ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Backspace' && currentTarget.value === '') onChange('');
  };
}
