// A relationship between two objects: made, changed or removed in the draft. A new one is a reference field where one
// side has only one record.

import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { cardinalityText } from '../../lib/definition/cardinality-words.ts';
import {
  CARDINALITIES,
  type Cardinality,
  type DefinitionDocument,
  type Path,
  withValue,
} from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { renameEntry } from '../../lib/definition/rename.ts';
import { keyProblem } from '../../lib/definition/rename-words.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { KeyInput } from '../../ui/key-input.tsx';
import { FormButtons } from './form-buttons.tsx';
import classes from './model.module.css';
import { type RelationshipDraft, referenceFor, withConnection } from './new-connection.ts';

interface RelationshipDialogProps {
  /** The object whose page it is. */
  readonly type: string;
  /** Undefined: a new one. */
  readonly relationshipKey: string | undefined;
  readonly onClose: () => void;
}

export default function RelationshipDialog(props: RelationshipDialogProps) {
  const { type, relationshipKey, onClose } = props;
  const t = useT();
  const { relationships, objects } = useDefinition().document;
  const present = relationships?.[relationshipKey ?? ''];
  const path = ['relationships', relationshipKey ?? ''];
  const first = Object.keys(objects).find((one) => one !== type) ?? type;
  const [key, setKey] = useState(relationshipKey ?? '');
  const [draft, setDraft] = useState<RelationshipDraft>(
    present ?? { ...{ name: '', from: type, to: first }, cardinality: 'many_to_many' },
  );
  const reference = present === undefined ? referenceFor(draft) : undefined;
  const set = (words: Partial<RelationshipDraft>) => setDraft({ ...draft, ...words });
  const { save, remove } = useRelationship(props, path);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(draft, key);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={present?.name ?? t('links.new')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack onSubmit={submit} component="form" gap={14}>
        <ConnectionName
          name={draft.name}
          target={reference?.target}
          onChange={(name) => set({ name })}
        />
        {present === undefined && (
          <NativeSelect
            label={t('links.other')}
            data={Object.entries(objects).map(([value, { name }]) => ({ value, label: name }))}
            value={draft.to}
            onChange={({ currentTarget }) => set({ to: currentTarget.value })}
          />
        )}
        {present !== undefined && <KeyInput path={path} value={key} onChange={setKey} />}
        <Cardinalities
          draft={draft}
          isNew={present === undefined}
          onChange={(cardinality) => set({ cardinality })}
        />
        <FormButtons
          action={t(present ? 'model.done' : reference ? 'fields.add' : 'links.add')}
          onCancel={onClose}
          remove={present && { label: t('links.remove'), run: remove }}
        />
      </Stack>
    </Modal>
  );
}

interface ConnectionNameProps {
  readonly name: string;
  /** The object that a reference leads to; its field may be named like its records. */
  readonly target: string | undefined;
  readonly onChange: (name: string) => void;
}

function ConnectionName({ name, target, onChange }: ConnectionNameProps) {
  const t = useT();
  const { objects } = useDefinition().document;
  const isField = target !== undefined;
  return (
    <TextInput
      label={t(isField ? 'links.fieldName' : 'model.name')}
      placeholder={isField ? objects[target]?.singular_name : t('links.nameExample')}
      required={!isField}
      withAsterisk={false}
      maxLength={200}
      data-autofocus
      value={name}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function useRelationship({ relationshipKey, onClose }: RelationshipDialogProps, path: Path) {
  const { document, present, change } = useDefinition();
  const { relationships = {} } = document;
  return {
    save(draft: RelationshipDraft, key: string) {
      if (relationshipKey === undefined) {
        change((now) => withConnection(now, draft));
      } else {
        if (keyProblem(document, path, key) !== undefined) return;
        const entry = { ...relationships[relationshipKey], ...draft };
        change((now) => renameEntry(withValue(now, path, entry), present.document, path, key));
      }
      onClose();
    },
    remove() {
      change((now) => withValue(now, path, undefined));
      onClose();
    },
  };
}

interface CardinalitiesProps {
  readonly draft: RelationshipDraft;
  /** True for a new relationship: a reference is offered where one side has only one record. */
  readonly isNew: boolean;
  readonly onChange: (cardinality: Cardinality) => void;
}

function Cardinalities({ draft, isNew, onChange }: CardinalitiesProps) {
  const t = useT();
  const { document } = useDefinition();
  // Between records of one object both sides are the same.
  const offered = CARDINALITIES.filter(
    (value) => draft.from !== draft.to || value === 'many_to_many' || value === 'one_to_one',
  );
  return (
    <fieldset className={classes.choices}>
      <legend>{t('links.howMany')}</legend>
      {offered.map((cardinality) => (
        <label key={cardinality} className={classes.check}>
          <input
            type="radio"
            name="cardinality"
            checked={draft.cardinality === cardinality}
            onChange={() => onChange(cardinality)}
          />
          <span>
            {cardinalityText(document, draft, cardinality, t)}
            {isNew && (
              <span className={classes.hint}>
                {meansText(document, { ...draft, cardinality }, t)}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function meansText(
  { objects }: DefinitionDocument,
  draft: RelationshipDraft,
  t: Translate,
): string {
  const reference = referenceFor(draft);
  if (reference === undefined) return t('links.asRelationship');
  const one = (type: string) => objects[type]?.singular_name ?? type;
  return t('links.asReference', { one: one(reference.type), other: one(reference.target) });
}
