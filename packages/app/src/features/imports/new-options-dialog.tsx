// Options made of words that a field lacks: their names, which a person may change, the plan of the service, and then the
// change of the definition.

import { Text, TextInput } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import type { DefinitionDocument } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import framed from '../../ui/framed-rows.module.css';
import type { Target } from './import-draft.ts';
import { nameOf } from './import-fields.ts';
import { type NewOption, optionChange } from './new-options.ts';
import classes from './planned-dialog.module.css';
import { PlannedDialog, usePlanned } from './planned-dialog.tsx';

interface NewOptionsDialogProps {
  readonly target: Target;
  readonly field: Field;
  readonly words: readonly string[];
  /** The value that each word becomes. */
  readonly onMade: (values: Readonly<Record<string, string>>) => void;
  readonly onClose: () => void;
}

/** The options that one change makes. */
const MOST = 100;

export function NewOptionsDialog({ target, field, words, onMade, onClose }: NewOptionsDialogProps) {
  const t = useT();
  const [options, setOptions] = useState<readonly NewOption[]>(() =>
    words.slice(0, MOST).map((word) => ({ word, name: word, isChosen: true })),
  );
  const planned = usePlanned({
    target,
    changeOf: ({ document }) =>
      optionChange(
        document as unknown as DefinitionDocument,
        [target.object.object_type, field.key],
        options,
      ),
    onMade: (_, { values }) => onMade(values),
  });
  const count = options.filter(({ isChosen }) => isChosen).length;
  const put = (index: number, option: NewOption) => {
    planned.reset();
    setOptions(options.with(index, option));
  };
  return (
    <PlannedDialog
      title={t('import.newOptions', { field: nameOf(field) })}
      text={t('import.newOptionsText')}
      action={t('import.addOptions', { count })}
      isEmpty={count === 0}
      {...{ planned, onClose }}
    >
      <ul className={`${framed.rows} ${classes.entries}`}>
        {options.map((option, index) => (
          <OptionLine key={option.word} option={option} onChange={(next) => put(index, next)} />
        ))}
      </ul>
    </PlannedDialog>
  );
}

interface OptionLineProps {
  readonly option: NewOption;
  readonly onChange: (option: NewOption) => void;
}

function OptionLine({ option, onChange }: OptionLineProps) {
  const t = useT();
  const { word, name, isChosen } = option;
  return (
    <li>
      <input
        type="checkbox"
        aria-label={t('import.makeOption', { word })}
        checked={isChosen}
        onChange={({ currentTarget }) => onChange({ ...option, isChosen: currentTarget.checked })}
      />
      <TextInput
        aria-label={t('import.nameOfOption', { word })}
        maxLength={200}
        value={name}
        disabled={!isChosen}
        onChange={({ currentTarget }) => onChange({ ...option, name: currentTarget.value })}
      />
      <Text span c="dimmed">
        {word}
      </Text>
    </li>
  );
}
