// The button that copies a text.

import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useT } from '../lib/messages/index.ts';

export function CopyButton({ text }: { readonly text: string }) {
  const t = useT();
  const { copy, copied } = useClipboard();
  return (
    <Button size="compact-sm" variant="default" onClick={() => copy(text)}>
      {t(copied ? 'secret.copied' : 'secret.copy')}
    </Button>
  );
}
