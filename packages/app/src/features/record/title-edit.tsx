// The name of a record as a heading, edited in place where its object takes a text for it.

import { Box, UnstyledButton } from '@mantine/core';
import type { Field, RecordData } from '@workspace-records/client';
import { type RefObject, useId, useRef, useState } from 'react';
import { FieldEditor } from '../../editing/field-editor.tsx';
import { UnsavedNote } from '../../editing/unsaved/unsaved-note.tsx';
import { editOf } from '../../fields/edits.ts';
import { useT } from '../../lib/messages/index.ts';
import { fieldPlace } from '../../lib/unsaved-edits.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { useFocusBack } from './field-row.tsx';
import classes from './record-head.module.css';

interface TitleEditProps {
  readonly record: RecordData;
  /** The field with the name; undefined: the name is not edited here. */
  readonly field: Field | undefined;
  readonly level: 1 | 2;
  readonly heading: RefObject<HTMLHeadingElement | null> | undefined;
}

export function TitleEdit({ record, field, level, heading }: TitleEditProps) {
  const t = useT();
  const Heading = `h${level}` as const;
  const name = record.display ?? t('records.unnamed');
  if (field === undefined) {
    return (
      <Heading ref={heading} tabIndex={-1} className={classes.title}>
        {name}
      </Heading>
    );
  }
  return <Edited {...{ record, field, level, heading, name }} />;
}

interface EditedProps extends TitleEditProps {
  readonly field: Field;
  readonly name: string;
}

function Edited({ record, field, level, heading, name }: EditedProps) {
  const t = useT();
  const id = useId();
  const Heading = `h${level}` as const;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useFocusBack(button, isOpen);
  const edit = editOf(field);
  if (edit === undefined) throw new Error(`the type ${field.type} has no editor`);
  return (
    <>
      <Heading
        ref={heading}
        tabIndex={-1}
        className={classes.title}
        data-open={isOpen || undefined}
      >
        {isOpen ? (
          <Hidden>{name}</Hidden>
        ) : (
          <UnstyledButton
            ref={button}
            data-edit
            className={classes.rename}
            title={t('record.rename', { field: field.name ?? field.key })}
            onClick={() => setOpen(true)}
          >
            {name}
          </UnstyledButton>
        )}
      </Heading>
      {isOpen && (
        <Box mb="xs" maw="36rem">
          <span id={id} hidden>
            {field.name ?? field.key}
          </span>
          <FieldEditor {...{ field, record, edit }} labelId={id} onClose={() => setOpen(false)} />
        </Box>
      )}
      {!isOpen && (
        <UnsavedNote place={fieldPlace(record, field)} onContinue={() => setOpen(true)} />
      )}
    </>
  );
}
