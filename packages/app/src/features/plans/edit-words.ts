// One edit of an entry, as its setting with the value before and after. Pure.

import { isEntries, type OptionEntry } from '../../lib/definition/document.ts';
import type { Edit } from '../../lib/definition/edits.ts';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';

export interface ToldEdit {
  readonly setting: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const SETTINGS: Readonly<Record<string, PlainKey>> = {
  name: 'model.name',
  singular_name: 'model.singular',
  description: 'model.description',
  section: 'fields.section',
  type: 'fields.type',
  required: 'fields.required',
  unique: 'fields.unique',
  indexed: 'fields.indexed',
  searchable: 'fields.searchable',
  editable: 'setting.editable',
  storage: 'fields.storage',
  default: 'fields.default',
  options: 'options.title',
  reference_object_type: 'fields.object',
  on_delete: 'fields.onDelete',
  currency: 'fields.currency',
  minimum: 'fields.minimum',
  maximum: 'fields.maximum',
  scale: 'fields.scale',
  minLength: 'fields.minLength',
  maxLength: 'fields.maxLength',
  pattern: 'fields.pattern',
  display_field: 'object.display',
  subtitle_field: 'object.subtitle',
  category: 'object.category',
  owned: 'setting.owned',
  workflow: 'model.workflow',
  field_order: 'setting.order',
  status_order: 'setting.order',
  cardinality: 'links.howMany',
  prefix: 'types.prefix',
  active: 'types.active',
  fields: 'model.fields',
  transitions: 'setting.transitions',
  initial: 'setting.initial',
  color: 'tint.choose',
};

/** Edits of the whole entry have nothing to tell: its action does. */
export function tellEdits(
  edits: readonly Edit[],
  depth: number,
  t: Translate,
): readonly ToldEdit[] {
  return edits.filter(({ path }) => path.length > depth).map((edit) => tellEdit(edit, t));
}

export function tellEdit({ path, before, after }: Edit, t: Translate): ToldEdit {
  const word = path.at(-1) ?? '';
  const key = SETTINGS[word];
  const setting = key === undefined ? word : t(key);
  if (word === 'field_order' || word === 'status_order')
    return { setting, before: undefined, after: t('setting.changed') };
  if (word === 'options') return { setting, ...optionsText(before, after, t) };
  return { setting, before: valueText(before, t), after: valueText(after, t) };
}

export function valueText(value: unknown, t: Translate): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return t(value ? 'fields.yes' : 'fields.no');
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((one) => itemText(one)).join(', ');
  if (isEntries(value) && typeof value.name === 'string') return value.name;
  return JSON.stringify(value);
}

/** Options by label, transitions by their target. */
function itemText(item: unknown): string {
  if (!isEntries(item)) return String(item);
  const { label, value, to } = item;
  return String(label ?? value ?? to ?? JSON.stringify(item));
}

/** Only what differs: there may be hundreds. */
function optionsText(before: unknown, after: unknown, t: Translate) {
  const [old, now] = [listOf(before), listOf(after)];
  const added = now.filter(({ value }) => !old.some((one) => one.value === value));
  const removed = old.filter(({ value }) => !now.some((one) => one.value === value));
  const label = ({ label: text, value }: OptionEntry) => text ?? value;
  const signs = [
    ...removed.map((one) => `− ${label(one)}`),
    ...added.map((one) => `+ ${label(one)}`),
  ];
  return { before: undefined, after: signs.length === 0 ? t('setting.changed') : signs.join(', ') };
}

function listOf(value: unknown): readonly OptionEntry[] {
  return Array.isArray(value) ? (value as readonly OptionEntry[]) : [];
}
