// The value of a setting in words: names of fields, objects and statuses in place of their keys. Pure.

import '../../lib/plan-texts.ts';
import { ENTRY_TYPES, entryKind } from '../../fields/entry-kind.ts';
import { nameAt } from '../../lib/definition/changes.ts';
import {
  type DefinitionDocument,
  isEntries,
  type OptionEntry,
  type Path,
  type TransitionEntry,
  targetOf,
  valueAt,
} from '../../lib/definition/document.ts';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';

export interface Telling {
  /** They have the names; the first one that has it counts. */
  readonly documents: readonly DefinitionDocument[];
  readonly t: Translate;
}

type Teller = (value: string, path: Path, telling: Telling) => string;

const CHOICES: Readonly<Record<string, Readonly<Record<string, PlainKey>>>> = {
  type: Object.fromEntries(ENTRY_TYPES.map((type) => [type, entryKind({ type }).name])),
  on_delete: { clear: 'fields.onDeleteClear', restrict: 'fields.onDeleteRestrict' },
  storage: { physical: 'fields.storageColumn', jsonb: 'fields.storageJson' },
  category: {
    ...{ crm: 'object.crm', work: 'object.work', catalog: 'object.catalog' },
    ...{ custom: 'object.custom', open: 'workflow.open', active: 'workflow.active' },
    ...{ done: 'workflow.done', cancelled: 'workflow.cancelled' },
  },
  color: {
    ...{ gray: 'tint.gray', red: 'tint.red', orange: 'tint.orange', yellow: 'tint.yellow' },
    ...{ green: 'tint.green', teal: 'tint.teal', blue: 'tint.blue', indigo: 'tint.indigo' },
    ...{ purple: 'tint.purple', pink: 'tint.pink' },
  },
};

/** Words whose value is the key of another entry. */
const NAMED: Readonly<Record<string, (value: string, path: Path) => Path>> = {
  display_field: (value, path) => [...path.slice(0, 2), 'fields', value],
  subtitle_field: (value, path) => [...path.slice(0, 2), 'fields', value],
  reference_object_type: (value) => ['objects', value],
  from: (value) => ['objects', value],
  to: (value) => ['objects', value],
  workflow: (value) => ['workflows', value],
  initial: (value, path) => [...path.slice(0, 2), 'statuses', value],
  transitions: (value, path) => [...path.slice(0, 3), value],
  fields: (value) => ['objects', 'work_items', 'fields', value],
};

const MEGABYTE = 1024 * 1024;

/** Undefined: there is none. */
export function valueText(path: Path, value: unknown, telling: Telling): string | undefined {
  const { t } = telling;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return t(value ? 'fields.yes' : 'fields.no');
  if (typeof value === 'string') return wordText(value, path, telling);
  if (Array.isArray(value)) return value.map((one) => itemText(one, path, telling)).join(', ');
  if (!isEntries(value))
    return String(path.at(-1) === 'max_bytes' ? Number(value) / MEGABYTE : value);
  if (typeof value.name === 'string') return value.name;
  return namesIn(value);
}

const wordText: Teller = (value, path, { documents, t }) => {
  const word = path.at(-1) ?? '';
  const choice = CHOICES[word]?.[value];
  if (choice !== undefined) return t(choice);
  const named = NAMED[word];
  if (named !== undefined) return nameAt(documents, named(value, path));
  if (word === 'keep') return keptText(value, t);
  if (word === 'default') return optionLabel(value, path, documents);
  return value;
};

function keptText(keep: string, t: Translate): string {
  if (keep === 'forever') return t('history.keepForever');
  return t('history.keepDays', { count: Number.parseInt(keep, 10) });
}

function optionLabel(value: string, path: Path, documents: readonly DefinitionDocument[]): string {
  const place = [...path.slice(0, -1), 'options'];
  const options = documents.flatMap((one) => (valueAt(one, place) as OptionEntry[]) ?? []);
  return options.find((one) => one.value === value)?.label ?? value;
}

/** Options by label, moves by their target. */
function itemText(item: unknown, path: Path, telling: Telling): string {
  if (path.at(-1) === 'transitions') return moveText(item as TransitionEntry, path, telling);
  if (typeof item === 'string') return wordText(item, path, telling);
  const { label, value } = Object(item);
  return String(label ?? value ?? JSON.stringify(item));
}

function moveText(move: TransitionEntry, path: Path, telling: Telling): string {
  const status = wordText(targetOf(move), path, telling);
  return typeof move === 'string' ? status : telling.t('setting.withApproval', { status });
}

/** The names of the entries of a map, with commas between them. */
function namesIn(entries: Readonly<Record<string, unknown>>): string {
  return Object.entries(entries)
    .map(([key, entry]) => String(valueAt(entry, ['name']) ?? key))
    .join(', ');
}
