// One edit of an entry in words: its setting with the value before and after, or a sentence. Pure.

import '../../lib/plan-texts.ts';
import { entryKind } from '../../fields/entry-kind.ts';
import { cardinalityText } from '../../lib/definition/cardinality-words.ts';
import {
  type Cardinality,
  type FieldEntry,
  isEntries,
  type OptionEntry,
  type Path,
  type RelationshipEntry,
  type RollupEntry,
  valueAt,
} from '../../lib/definition/document.ts';
import { type Edit, isSamePath } from '../../lib/definition/edits.ts';
import { rollupText } from '../../lib/definition/rollups.ts';
import { plainValue } from '../../lib/definition-text.ts';
import type { Translate } from '../../lib/messages/index.ts';
import { tellGates, tellNewGates } from './gate-words.ts';
import { settingText } from './setting-words.ts';
import { type Telling, valueText } from './value-words.ts';

export interface ToldEdit {
  /** Undefined: `after` is a sentence. */
  readonly setting?: string;
  readonly before?: string | undefined;
  readonly after: string | undefined;
}

/** The edits of the entry at `path`; of a new one each of its words. Lines that read alike are one. */
export function tellEdits(
  edits: readonly Edit[],
  path: Path,
  telling: Telling,
): readonly ToldEdit[] {
  const lines = edits
    // The place of a new field or status is not told.
    .filter((edit) => path.length === 2 || !edit.path.at(-1)?.endsWith('_order'))
    .map((edit) => ({ ...edit, after: plainValue(edit.path.at(-1), edit.after) }))
    .flatMap((edit) => (isSamePath(edit.path, path) ? wordsOf(edit) : partsOf(edit)))
    .flatMap((edit) => linesOf(edit, telling));
  return [...new Map(lines.map((line) => [`${line.setting}: ${line.after}`, line])).values()];
}

/** The title has the name; the others are as in most entries, or have no meaning without the rest. */
const UNTOLD: ReadonlySet<string> = new Set([
  ...['name', 'singular_name', 'category', 'display_field', 'field_order', 'status_order'],
  ...['kind', 'from', 'to', 'color'],
]);

/** A removed or renamed entry has none to tell: its action does. */
function wordsOf({ path, before, after }: Edit): readonly Edit[] {
  const isNew = before === undefined && isEntries(after) && after.renamed_from === undefined;
  if (!isNew) return [];
  return Object.entries(after)
    .filter(([word]) => !UNTOLD.has(word))
    .flatMap(([word, value]) => partsOf({ path: [...path, word], after: value }));
}

/** Settings that have settings of their own. */
const COMPOSED: ReadonlySet<string> = new Set(['capabilities', 'history', 'trash']);

function partsOf(edit: Edit): readonly Edit[] {
  const { path, before, after } = edit;
  if (path.length !== 3 || !COMPOSED.has(path[2] ?? '')) return [edit];
  const parts = new Set([...Object.keys(Object(before)), ...Object.keys(Object(after))]);
  return [...parts].map((part) => ({
    path: [...path, part],
    before: valueAt(before, [part]),
    after: valueAt(after, [part]),
  }));
}

/** The lines of an edit; moves add one for each new or changed approval rule. */
function linesOf(edit: Edit, telling: Telling): readonly ToldEdit[] {
  const line = tellEdit(edit, telling);
  if (edit.path.at(-1) === 'statuses') return [line, ...tellNewGates(edit, telling)];
  if (edit.path.at(-1) !== 'transitions') return [line];
  const gates = tellGates(edit, telling);
  const isRuleAlone = edit.before !== undefined && line.before === undefined;
  return gates.length > 0 && isRuleAlone ? gates : [line, ...gates];
}

function tellEdit(edit: Edit, telling: Telling): ToldEdit {
  const { path, before, after } = edit;
  const { t } = telling;
  const sentence = sentenceOf(edit, telling);
  if (sentence !== undefined) return { after: sentence };
  const setting = settingText(path, t);
  if (path.at(-1) === 'options' && before !== undefined)
    return { setting, after: optionsText(before, after, t) };
  const [old, now] = [valueText(path, before, telling), valueText(path, after, telling)];
  const isOrder = path.at(-1)?.endsWith('_order') === true;
  if (isOrder || old === now) return { setting, after: t('setting.changed') };
  return { setting, before: old, after: now };
}

function sentenceOf({ path, after }: Edit, { documents, t }: Telling): string | undefined {
  const [section, key = '', word, part, setting] = path;
  if (section === 'roles' && word === 'objects') return t('setting.rightsChanged');
  if (section === 'objects' && word === 'trash' && part === 'keep') return keptText(after, t);
  if (section === 'objects' && word === 'fields' && part === undefined) return fieldsText(after, t);
  if (section === 'objects' && setting === 'rollup') return rollupSentence(path, { documents, t });
  if (section !== 'relationships' || word !== 'cardinality') return undefined;
  const document = documents.find(({ relationships }) => relationships?.[key] !== undefined);
  const ends = document?.relationships?.[key] as RelationshipEntry | undefined;
  if (document === undefined || ends === undefined) return undefined;
  return cardinalityText(document, ends, after as Cardinality, t);
}

/** The rollup as a whole, whatever part of it changes. */
function rollupSentence(path: Path, { documents, t }: Telling): string | undefined {
  const [rollup] = documents.flatMap((one) => valueAt(one, path.slice(0, 5)) ?? []);
  const objects = Object.assign({}, ...documents.toReversed().map((one) => one.objects));
  return rollup === undefined ? undefined : rollupText(rollup as RollupEntry, objects, t);
}

function keptText(keep: unknown, t: Translate): string {
  if (typeof keep !== 'string') return t('setting.trashNone');
  return t('setting.trashDays', { count: Number.parseInt(keep, 10) });
}

/** Fields that are named: a file can bring hundreds. */
const MOST_FIELDS = 20;

function fieldsText(fields: unknown, t: Translate): string {
  const all = Object.entries(Object(fields) as Record<string, FieldEntry>);
  const fieldTexts = all
    .slice(0, MOST_FIELDS)
    .map(([key, { name = key, type }]) =>
      t('setting.fieldOf', { name, type: t(entryKind({ type }).name) }),
    );
  const more = all.length - fieldTexts.length;
  const rest = more > 0 ? [t('revisions.moreChanges', { count: more })] : [];
  return t('setting.newFields', { count: all.length, fields: [...fieldTexts, ...rest].join(', ') });
}

/** Only what differs: there may be hundreds. */
function optionsText(before: unknown, after: unknown, t: Translate): string {
  const [old, now] = [listOf(before), listOf(after)];
  const added = now.filter(({ value }) => !old.some((one) => one.value === value));
  const removed = old.filter(({ value }) => !now.some((one) => one.value === value));
  const label = ({ label: text, value }: OptionEntry) => text ?? value;
  const signs = [
    ...removed.map((one) => `− ${label(one)}`),
    ...added.map((one) => `+ ${label(one)}`),
  ];
  return signs.length === 0 ? t('setting.changed') : signs.join(', ');
}

function listOf(value: unknown): readonly OptionEntry[] {
  return Array.isArray(value) ? (value as readonly OptionEntry[]) : [];
}
