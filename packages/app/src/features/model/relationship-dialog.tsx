// A relationship between two objects: made, changed or removed in the draft.

import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  CARDINALITIES,
  type Cardinality,
  type Path,
  type RelationshipEntry,
  withValue,
} from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { keyFor, renameEntry } from '../../lib/definition/rename.ts';
import { keyProblem } from '../../lib/definition/rename-words.ts';
import { useT } from '../../lib/messages/index.ts';
import { KeyInput } from '../../ui/key-input.tsx';
import { FormButtons } from './form-buttons.tsx';
import classes from './model.module.css';

interface RelationshipDialogProps {
  /** The object whose page it is. */
  readonly type: string;
  /** Undefined: a new one. */
  readonly relationshipKey: string | undefined;
  readonly onClose: () => void;
}

type Draft = Omit<RelationshipEntry, 'kind'>;

/** Objects that associations are between; all others are linked. */
const CRM: ReadonlySet<string> = new Set(['companies', 'contacts', 'deals', 'meetings', 'events']);

function kindOf({ from, to }: Pick<RelationshipEntry, 'from' | 'to'>): RelationshipEntry['kind'] {
  return CRM.has(from) && CRM.has(to) ? 'association' : 'link';
}

export default function RelationshipDialog(props: RelationshipDialogProps) {
  const { type, relationshipKey, onClose } = props;
  const t = useT();
  const { relationships, objects } = useDefinition().document;
  const present = relationships?.[relationshipKey ?? ''];
  const path = ['relationships', relationshipKey ?? ''];
  const first = Object.keys(objects).find((one) => one !== type) ?? type;
  const [key, setKey] = useState(relationshipKey ?? '');
  const [draft, setDraft] = useState<Draft>(
    present ?? { ...{ name: '', from: type, to: first }, cardinality: 'many_to_many' },
  );
  const set = (words: Partial<Draft>) => setDraft({ ...draft, ...words });
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
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label={t('model.name')}
          placeholder={t('links.nameExample')}
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
          value={draft.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
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
        <Cardinalities draft={draft} onChange={(cardinality) => set({ cardinality })} />
        <FormButtons
          action={present === undefined ? t('links.add') : t('model.done')}
          onCancel={onClose}
          remove={present && { label: t('links.remove'), run: remove }}
        />
      </form>
    </Modal>
  );
}

function useRelationship({ relationshipKey, onClose }: RelationshipDialogProps, path: Path) {
  const { document, present, change } = useDefinition();
  const { relationships = {} } = document;
  return {
    save(draft: Draft, key: string) {
      if (relationshipKey === undefined) {
        const made = keyFor(`${draft.from}_${draft.to}`, relationships);
        const entry = { ...draft, kind: kindOf(draft) };
        change((now) => withValue(now, ['relationships', made], entry));
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
  readonly draft: Pick<RelationshipEntry, 'from' | 'to' | 'cardinality'>;
  readonly onChange: (cardinality: Cardinality) => void;
}

function Cardinalities({ draft: { from, to, cardinality }, onChange }: CardinalitiesProps) {
  const t = useT();
  const { objects } = useDefinition().document;
  const names = { from: objects[from]?.name ?? from, to: objects[to]?.name ?? to };
  const one = { from: objects[from]?.singular_name ?? from, to: objects[to]?.singular_name ?? to };
  const texts: Readonly<Record<Cardinality, string>> = {
    many_to_many: t('links.manyToManyText', {
      from: one.from,
      to: names.to,
      one: one.to,
      many: names.from,
    }),
    many_to_one: t('links.manyToOneText', { from: one.from, to: one.to, many: names.from }),
    one_to_many: t('links.manyToOneText', { from: one.to, to: one.from, many: names.to }),
    one_to_one: t('links.oneToOneText', { from: one.from, to: one.to }),
  };
  // Between records of one object both sides are the same.
  const offered = CARDINALITIES.filter(
    (value) => from !== to || value === 'many_to_many' || value === 'one_to_one',
  );
  return (
    <fieldset className={classes.choices}>
      <legend>{t('links.howMany')}</legend>
      {offered.map((value) => (
        <label key={value} className={classes.check}>
          <input
            type="radio"
            name="cardinality"
            checked={cardinality === value}
            onChange={() => onChange(value)}
          />
          {texts[value]}
        </label>
      ))}
    </fieldset>
  );
}
