// The settings of a definition by the names that the pages of the data model give them. Pure.

import '../../lib/plan-texts.ts';
import '../../lib/icon-texts.ts';
import type { Path } from '../../lib/definition/document.ts';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';

/** A word, or the end of its path where the word alone has several meanings. */
const SETTINGS: Readonly<Record<string, PlainKey>> = {
  name: 'model.name',
  singular_name: 'model.singular',
  description: 'model.description',
  section: 'fields.section',
  type: 'fields.type',
  expression: 'formula.expression',
  result_type: 'formula.result',
  rollup: 'type.rollup',
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
  constraints: 'fields.rules',
  multiple: 'fields.multipleFiles',
  types: 'fields.fileTypes',
  max_bytes: 'fields.fileSize',
  display_field: 'object.display',
  subtitle_field: 'object.subtitle',
  category: 'object.category',
  icon: 'icon.icon',
  listed: 'object.listed',
  owned: 'setting.owned',
  comments: 'comments.title',
  'capabilities.create': 'setting.create',
  'capabilities.update': 'setting.update',
  'capabilities.delete': 'setting.delete',
  capabilities: 'object.abilities',
  trash: 'trash.setting',
  history: 'history.keep',
  'history.keep': 'history.keep',
  workflow: 'model.workflow',
  field_order: 'setting.order',
  status_order: 'setting.order',
  cardinality: 'links.howMany',
  kind: 'links.kind',
  from: 'model.object',
  to: 'links.other',
  prefix: 'types.prefix',
  active: 'types.active',
  fields: 'model.fields',
  statuses: 'workflows.statuses',
  transitions: 'setting.transitions',
  initial: 'setting.initial',
  color: 'tint.choose',
  colors: 'tint.choose',
  administrator: 'roles.administrator',
  developer: 'roles.developer',
  directory: 'roles.directory',
  assign_owner: 'roles.assignOwner',
  second_factor: 'roles.secondFactor',
  objects: 'setting.rights',
  sort_locale: 'setting.sortLocale',
};

/** Undefined: a word that is newer than this application. */
export function settingKey(path: Path): PlainKey | undefined {
  return SETTINGS[path.slice(-2).join('.')] ?? SETTINGS[path.at(-1) ?? ''];
}

export function settingText(path: Path, t: Translate): string {
  const key = settingKey(path);
  return key === undefined ? (path.at(-1) ?? '') : t(key);
}
