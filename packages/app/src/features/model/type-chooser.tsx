// The types of fields, each with its icon, its name and an example.

import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ENTRY_TYPES, entryKind } from '../../fields/entry-kind.ts';
import type { EntryType } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { FieldIcon } from './field-icon.tsx';
import classes from './type-chooser.module.css';

export function TypeChooser({ onChoose }: { readonly onChoose: (type: EntryType) => void }) {
  const t = useT();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <Text c="dimmed" mb="md">
        {t('fields.chooseType')}
      </Text>
      <ul className={classes.types}>
        {ENTRY_TYPES.map((type, at) => (
          <li key={type}>
            <button
              ref={at === 0 ? first : undefined}
              type="button"
              className={classes.type}
              onClick={() => onChoose(type)}
            >
              <span className={classes.icon}>
                <FieldIcon type={type} />
              </span>
              <span>
                <span className={classes.name}>{t(entryKind({ type }).name)}</span>
                <span className={classes.example}>{t(entryKind({ type }).example)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
