// `types`: the objects of a workspace as TypeScript, for the client: everything in the definition, or with
// `--as` what one person may read and write now.

import type { Command } from 'commander';
import {
  isNeededByCreate,
  keysOfSomeTypes,
  namesOfObjects,
} from '../../api/definitions/workspace-openapi-names.ts';
import { requireModel } from '../../control/workspace/workspaces.ts';
import { requireReader } from '../../export/reader.ts';
import {
  type Field,
  type ObjectModel,
  TYPE_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import {
  type Caller,
  canReadField,
  canReadObject,
  canWriteField,
} from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS, type FieldType } from '../../model/values/field-types.ts';
import { tell } from '../say.ts';
import { withWorkspace } from '../with-workspace.ts';
import { SUMMARIES } from './summaries.ts';

export function addTypesCommand(program: Command): void {
  program
    .command('types')
    .description(SUMMARIES.types)
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--as <email>', 'only what this person may read and write (default: everything)')
    .action(printTypes);
}

interface TypesArguments {
  readonly workspace: string;
  readonly as?: string;
}

async function printTypes({ workspace: slug, as }: TypesArguments): Promise<void> {
  await withWorkspace(slug, async (db, workspace) => {
    const model = await requireModel(db, workspace);
    const reader = as === undefined ? undefined : await requireReader(db, model, as);
    tell(typesOf(model, reader));
  });
}

/**
 * A declaration file: for each object the fields of records, the fields of writes, and `Objects` with both; of
 * `reader` only those that they may read and write.
 */
export function typesOf(whole: WorkspaceModel, reader?: Caller): string {
  const model = reader === undefined ? whole : seenBy(reader, whole);
  const { workspace, revision } = model;
  const objects = [...model.objects.values()];
  const names = namesOfObjects(model);
  const interfaces = objects.flatMap((object) => {
    const name = names.get(object.object_type) as string;
    return [
      interfaceOf(object, name, membersOf(model, object, 'read')),
      interfaceOf(object, `${name}Write`, membersOf(model, writable(object, reader), 'write')),
    ];
  });
  const members = objects.flatMap((object) => {
    const name = names.get(object.object_type) as string;
    return block(
      `${keyOf(object.object_type)}:`,
      [`read: ${name};`, `write: ${name}Write;`, ...referencesOf(model, object)],
      ';',
    );
  });
  return [
    `// The objects of the workspace ${literal(workspace.slug)}, revision ${revision}. Made by`,
    `// workspace-records types --workspace ${workspace.slug}${reader === undefined ? '' : ` --as ${reader.user.email}`}`,
    ...interfaces,
    '',
    '/** For createClient<Objects>(). */',
    ...block('export interface Objects', members),
    '',
  ].join('\n');
}

/** The targets of the fields, for questions about fields behind them. */
function referencesOf({ objects }: WorkspaceModel, { fields }: ObjectModel): readonly string[] {
  const lines = [...fields.values()].flatMap(({ key, storage, reference_object_type: other }) => {
    const isKnown = storage === 'physical' && other !== null && objects.has(other);
    return isKnown ? [`${keyOf(key)}: Objects[${literal(other)}];`] : [];
  });
  return lines.length === 0 ? [] : block('references:', lines, ';');
}

/**
 * The objects and fields that somebody may read; a reference does not name an object they may
 * not.
 */
function seenBy(reader: Caller, model: WorkspaceModel): WorkspaceModel {
  const shown = [...model.objects.values()].filter((object) => canReadObject(reader, object));
  const readableTypes = new Set(shown.map(({ object_type }) => object_type));
  const objects = shown.map((object) => {
    const fields = [...object.fields.values()]
      .filter((field) => canReadField(reader, object, field))
      .map((field) => {
        const { reference_object_type: other } = field;
        return other === null || readableTypes.has(other)
          ? field
          : { ...field, reference_object_type: null };
      });
    return { ...object, fields: new Map(fields.map((field) => [field.key, field])) };
  });
  return { ...model, objects: new Map(objects.map((object) => [object.object_type, object])) };
}

function writable(object: ObjectModel, reader: Caller | undefined): ObjectModel {
  if (reader === undefined) return object;
  const fields = [...object.fields].filter(([, field]) => canWriteField(reader, object, field));
  return { ...object, fields: new Map(fields) };
}

function interfaceOf({ name }: ObjectModel, title: string, members: readonly string[]): string {
  const about = title.endsWith('Write') ? `${name}, as a create takes them.` : `${name}.`;
  return ['', comment(about), ...block(`export interface ${title}`, members)].join('\n');
}

type Side = 'read' | 'write';

/** Properties for the fields; those of storage `jsonb` are together in one. */
function membersOf(model: WorkspaceModel, object: ObjectModel, side: Side): readonly string[] {
  const ofSomeTypes = keysOfSomeTypes(model, object);
  const fields = [...object.fields.values()].filter(({ editable }) => side === 'read' || editable);
  const isSure = (field: Field) =>
    !ofSomeTypes.has(field.key) && (side === 'read' || isNeededByCreate(field));
  const linesOf = (shown: readonly Field[]) =>
    shown.flatMap((field) => {
      const isNullable = side === 'read' ? field.nullable : !field.required;
      const value = typeOf(model, object, { field, side });
      const type = isNullable && value !== 'unknown' ? `${value} | null` : value;
      return [comment(aboutOf(field)), `${keyOf(field.key)}${isSure(field) ? '' : '?'}: ${type};`];
    });
  const physical = linesOf(fields.filter(({ storage }) => storage === 'physical'));
  const custom = fields.filter(({ storage }) => storage === 'jsonb');
  if (custom.length === 0) return physical;
  const key = custom.some(isSure) ? 'custom_fields:' : 'custom_fields?:';
  return [...physical, ...block(key, linesOf(custom), ';')];
}

/** A field of a record, or of a write. */
interface Member {
  readonly field: Field;
  readonly side: Side;
}

function typeOf(
  model: WorkspaceModel,
  object: ObjectModel,
  { field: { key, type, rules }, side }: Member,
): string {
  if (FIELD_TYPE_TRAITS[type].holdsFiles) return FILES[side];
  const types = [...model.work_item_types.keys()];
  if (object.object_type === WORK_ITEMS && key === TYPE_KEY && types.length > 0) {
    return types.map(literal).join(' | ');
  }
  const options = rules.options?.map(({ value }) => literal(value)).join(' | ');
  const one = options === undefined || options === '' ? scalarOf(type) : options;
  return FIELD_TYPE_TRAITS[type].isList ? `(${one})[]` : one;
}

/** Written by their ids; a value can be sent as it was read. */
const FILES: Readonly<Record<Side, string>> = {
  read: '{ id: string; name: string; type: string; size: number }[]',
  write: '(string | { id: string })[]',
};

/** The JSON type of a value; options are literal types. */
function scalarOf(type: FieldType): string {
  const word = FIELD_TYPE_TRAITS[type].schema.type ?? 'unknown';
  return word === 'integer' ? 'number' : word;
}

function aboutOf({ name, type, description, reference_object_type: other }: Field): string {
  const kind = other === null ? type : `${type} to ${other}`;
  return `${name} (${kind})${description === null ? '.' : `: ${description}`}`;
}

function comment(text: string): string {
  return `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`;
}

function block(head: string, members: readonly string[], end = ''): readonly string[] {
  return [`${head} {`, ...members.map((line) => `  ${line}`), `}${end}`];
}

function keyOf(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : literal(key);
}

function literal(text: string): string {
  return JSON.stringify(text);
}
