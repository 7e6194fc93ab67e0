// A relationship between two objects: made, changed or removed in the draft.

import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  CARDINALITIES,
  type Cardinality,
  type RelationshipEntry,
  withValue,
} from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { keyFor } from '../../lib/definition/rename.ts';
import { useT } from '../../lib/messages/index.ts';
import { FormButtons } from './form-buttons.tsx';
import classes from './model.module.css';

interface RelationshipDialogProps {
  /** The object whose page it is. */
  readonly type: string;
  /** Undefined: a new one. */
  readonly relationshipKey: string | undefined;
  readonly onClose: () => void;
}

/** Objects that associations are between; all others are linked. */
const CRM: ReadonlySet<string> = new Set(['companies', 'contacts', 'deals', 'meetings', 'events']);

function kindOf({ from, to }: Pick<RelationshipEntry, 'from' | 'to'>): RelationshipEntry['kind'] {
  return CRM.has(from) && CRM.has(to) ? 'association' : 'link';
}

export default function RelationshipDialog(props: RelationshipDialogProps) {
  const { type, relationshipKey, onClose } = props;
  const t = useT();
  const { document, change } = useDefinition();
  const { relationships = {}, objects } = document;
  const present = relationships[relationshipKey ?? ''];
  const first = Object.keys(objects).find((one) => one !== type) ?? type;
  const [draft, setDraft] = useState<Omit<RelationshipEntry, 'kind'>>(
    present ?? { ...{ name: '', from: type, to: first }, cardinality: 'many_to_many' },
  );
  const set = (words: Partial<RelationshipEntry>) => setDraft({ ...draft, ...words });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = relationshipKey ?? keyFor(`${draft.from}_${draft.to}`, relationships);
    const kind = present?.kind ?? kindOf(draft);
    change((now) => withValue(now, ['relationships', key], { ...draft, kind }));
    onClose();
  };
  const remove = () => {
    change((now) => withValue(now, ['relationships', relationshipKey ?? ''], undefined));
    onClose();
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
