// The key of an entry of the definition. While it differs from the key in force, a note explains the effect.

import { TextInput } from '@mantine/core';
import { type Path, valueAt } from '../lib/definition/document.ts';
import { useDefinition } from '../lib/definition/draft.ts';
import { pathInForce } from '../lib/definition/rename.ts';
import { keyProblem } from '../lib/definition/rename-words.ts';
import { useT } from '../lib/messages/index.ts';
import { RenameNote } from './rename-note.tsx';

interface KeyInputProps {
  /** The path of the entry, with its key in the draft. */
  readonly path: Path;
  readonly value: string;
  readonly onChange: (key: string) => void;
}

export function KeyInput({ path, value, onChange }: KeyInputProps) {
  const t = useT();
  const { document, present } = useDefinition();
  const stored = pathInForce(present.document, document, path);
  const isStored = valueAt(present.document, stored) !== undefined;
  const problem = keyProblem(document, path, value);
  return (
    <div>
      <TextInput
        label={t('model.key')}
        description={t('model.keyText')}
        maxLength={100}
        spellCheck={false}
        value={value}
        error={problem && t(problem)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {isStored && value !== stored.at(-1) && <RenameNote path={path} />}
    </div>
  );
}
