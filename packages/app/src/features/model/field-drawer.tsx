// A field in a panel at the side: the type of a new one first, then its settings.

import { Drawer } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { EntryType, FieldEntry, ObjectEntry } from '../../lib/definition/document.ts';
import { withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { withoutField } from '../../lib/definition/remove.ts';
import { fieldKeyFor, renameEntry } from '../../lib/definition/rename.ts';
import { useT } from '../../lib/messages/index.ts';
import { FieldForm } from './field-form.tsx';
import { startOf, withNewField } from './new-field.ts';
import { TypeChooser } from './type-chooser.tsx';

interface FieldDrawerProps {
  readonly type: string;
  /** Undefined: a new one. */
  readonly fieldKey: string | undefined;
  readonly onClose: () => void;
}

export default function FieldDrawer({ type, fieldKey, onClose }: FieldDrawerProps) {
  const t = useT();
  const { document } = useDefinition();
  const object = document.objects[type] as ObjectEntry;
  const [chosen, setChosen] = useState<EntryType>();
  const field = fieldKey === undefined ? undefined : object.fields[fieldKey];
  const start = useMemo(
    () => field ?? (chosen && startOf(chosen, document)),
    [field, chosen, document],
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      styles={{ title: { fontWeight: 600 } }}
      title={field === undefined ? t('fields.new') : (field.name ?? fieldKey)}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {start === undefined ? (
        <TypeChooser onChoose={setChosen} />
      ) : (
        <Editor
          key={chosen}
          {...{ type, fieldKey, start, onClose }}
          onBack={() => setChosen(undefined)}
        />
      )}
    </Drawer>
  );
}

interface EditorProps extends FieldDrawerProps {
  readonly start: FieldEntry;
  readonly onBack: () => void;
}

function Editor({ type, fieldKey, start, onBack, onClose }: EditorProps) {
  const { change, document, present } = useDefinition();
  const object = document.objects[type] as ObjectEntry;
  const fieldsPath = ['objects', type, 'fields'];
  const save = (field: FieldEntry, wanted: string | undefined) => {
    const key = wanted ?? fieldKey ?? fieldKeyFor(field.name ?? '', object.fields);
    change((now) => {
      if (fieldKey === undefined) return withNewField(now, type, key, field);
      const changed = withValue(now, [...fieldsPath, fieldKey], field);
      return renameEntry(changed, present.document, [...fieldsPath, fieldKey], key);
    });
    onClose();
  };
  const remove = () => {
    change((now) => withoutField(now, type, fieldKey ?? ''));
    onClose();
  };
  return (
    <FieldForm
      {...{ type, fieldKey, start, onBack }}
      isStored={present.document.objects[type]?.fields[fieldKey ?? ''] !== undefined}
      onSave={save}
      onRemove={remove}
      onCancel={onClose}
    />
  );
}
