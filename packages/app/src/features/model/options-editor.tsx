// The options of a field: added by typing or pasting lines, named, coloured, ordered and removed.

import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import type { OptionEntry } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { optionTint } from '../../lib/tints.ts';
import { Icon } from '../../ui/icon.tsx';
import { TintPicker } from '../../ui/tint-picker.tsx';
import type { FieldPartProps } from './field-form.tsx';
import { linesOf, movedOption, withLabel, withNewOptions } from './options.ts';
import classes from './options-editor.module.css';

export function OptionsEditor({ field, set, problems }: FieldPartProps) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const { options = [] } = field;
  const change = (next: readonly OptionEntry[]) => set({ options: next });
  const add = (labels: readonly string[]) => change(withNewOptions(options, labels));
  const problem = problems.get('options');
  return (
    <fieldset className={classes.editor} aria-describedby={problem && 'options-problem'}>
      <legend>{t('options.title')}</legend>
      <ul ref={list} className={classes.options}>
        {options.map((option, at) => (
          <OptionRow
            // An option is the one at its place: its value can change as long as it is new.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            key={at}
            {...{ options, option, at }}
            onChange={change}
          />
        ))}
      </ul>
      <NewOption onAdd={add} />
      {problem !== undefined && (
        <Text id="options-problem" c="var(--red)" fz="xs" mt={6} role="alert">
          {problem}
        </Text>
      )}
    </fieldset>
  );
}

interface OptionRowProps {
  readonly options: readonly OptionEntry[];
  readonly option: OptionEntry;
  readonly at: number;
  readonly onChange: (options: readonly OptionEntry[]) => void;
}

function OptionRow({ options, option, at, onChange }: OptionRowProps) {
  const t = useT();
  const name = option.label ?? option.value;
  const replace = (next: OptionEntry) => onChange(options.with(at, next));
  return (
    <Group component="li" wrap="nowrap" gap="xs">
      <TintPicker
        tint={optionTint(option.color, at)}
        name={name}
        onChange={(color) => replace({ ...option, color })}
      />
      <TextInput
        className={classes.label}
        aria-label={t('options.label', { name: option.value })}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => replace(withLabel(option, currentTarget.value))}
      />
      <ActionIcon
        aria-label={t('options.up', { name })}
        disabled={at === 0}
        onClick={() => onChange(movedOption(options, at, -1))}
      >
        <Icon name="up" size={14} />
      </ActionIcon>
      <ActionIcon
        aria-label={t('options.down', { name })}
        disabled={at === options.length - 1}
        onClick={() => onChange(movedOption(options, at, 1))}
      >
        <Icon name="down" size={14} />
      </ActionIcon>
      <ActionIcon
        aria-label={t('options.remove', { name })}
        onClick={() => onChange(options.toSpliced(at, 1))}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    </Group>
  );
}

const NEW_OPTION = 'new-option';

/** The text of a new option in a form, trimmed; the input is empty then. */
export function takeNewOption(form: HTMLFormElement): string {
  const input = form.elements.namedItem(NEW_OPTION);
  return input instanceof HTMLInputElement ? taken(input) : '';
}

function taken(input: HTMLInputElement): string {
  const label = input.value.trim();
  input.value = '';
  return label;
}

function NewOption({ onAdd }: { readonly onAdd: (labels: readonly string[]) => void }) {
  const t = useT();
  const take = (input: HTMLInputElement) => {
    const label = taken(input);
    if (label !== '') onAdd([label]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    take(event.currentTarget);
  };
  const onPaste = (event: ClipboardEvent) => {
    const lines = linesOf(event.clipboardData.getData('text'));
    if (lines.length < 2) return;
    event.preventDefault();
    onAdd(lines);
  };
  return (
    <TextInput
      name={NEW_OPTION}
      aria-label={t('options.new')}
      placeholder={t('options.newText')}
      maxLength={200}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onBlur={({ currentTarget }) => take(currentTarget)}
    />
  );
}
