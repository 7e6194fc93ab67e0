// The unsaved edit of a field, below its value, with the buttons to continue, copy and discard it.

import { Button, Group } from '@mantine/core';
import { useTextContext } from '../../fields/use-text-context.ts';
import { useT } from '../../lib/messages/index.ts';
import { type EditPlace, useEdits, useLeftEdit } from '../../lib/unsaved-edits.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { editText } from './edit-texts.ts';
import classes from './unsaved.module.css';

interface UnsavedNoteProps {
  readonly place: EditPlace;
  /** Undefined: the field can no longer be edited. */
  readonly onContinue: (() => void) | undefined;
}

export function UnsavedNote({ place, onContinue }: UnsavedNoteProps) {
  const t = useT();
  const edits = useEdits();
  const edit = useLeftEdit(place);
  const contextOf = useTextContext();
  if (edit === undefined) return null;
  const text = editText(edit, contextOf);
  return (
    <div className={classes.note}>
      <p className={classes.text}>{t('edits.notSaved', { text })}</p>
      {edit.problem !== undefined && <p className={classes.reason}>{edit.problem.text}</p>}
      <Group gap={6}>
        {onContinue !== undefined && (
          <Button size="compact-sm" variant="default" onClick={onContinue}>
            {t('edits.continue')}
          </Button>
        )}
        <CopyButton text={text} />
        <Button size="compact-sm" variant="subtle" onClick={() => edits.drop(place)}>
          {t('edits.discard')}
        </Button>
      </Group>
    </div>
  );
}
