// The effect of another key: what it keeps, and what clients notice of it.

import { Text } from '@mantine/core';
import type { Path } from '../lib/definition/document.ts';
import { renameWords } from '../lib/definition/rename-words.ts';
import { useT } from '../lib/messages/index.ts';

/** `path`: of the entry. */
export function RenameNote({ path }: { readonly path: Path }) {
  const t = useT();
  const words = renameWords(path);
  if (words === undefined) return null;
  return (
    <>
      <Text c="dimmed" fz="xs" mt={6}>
        {t(words.keeps)}
      </Text>
      <Text c="dimmed" fz="xs" mt={6}>
        {t(words.notice)}
      </Text>
    </>
  );
}
