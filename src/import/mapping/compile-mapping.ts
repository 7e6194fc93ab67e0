// Binds a mapping to a workspace and to the header of a file: every name becomes a field, an object
// or a column, and what cannot be is refused, all of it at once.

import { headingText } from '../../../packages/tables/src/table-layout.ts';
import {
  type Field,
  type ObjectModel,
  TYPE_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { isIdentifying } from '../../model/definition/naming-field.ts';
import { isNoteColumn } from '../../model/text/reject-text.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { AUTHOR_FIELD } from '../../plan/write/write-fields.ts';
import { MENTIONS_FIELD } from '../rows/comment-fields.ts';
import {
  isPseudoObject,
  missing,
  type Report,
  requireTargets,
  type Subject,
  subjectOf,
} from '../rows/row-subject.ts';
import {
  compileTarget,
  findField,
  isComputed,
  isReferenceTo,
  type Target,
} from './compile-target.ts';
import { type Mapping, refuseMapping } from './mapping.ts';
import { parseTemplate, templateColumns } from './template.ts';

export interface ImportPlan {
  readonly model: WorkspaceModel;
  /** With the fields that the rows can give: those of records, of comments or of links. */
  readonly object: ObjectModel;
  readonly subject: Subject;
  /** Fields that identify a record; none: each row is a record of its own. */
  readonly match: readonly Field[];
  /** Makes the id of a row's record when no value of the row identifies it; undefined for the others. */
  readonly idOfLine: ((line: number) => string) | undefined;
  /** True: statuses of the file are left out. */
  readonly noStatus: boolean;
  /** True when values have the types of JSON; else they are text. */
  readonly typed: boolean;
  /** undefined: the columns of each row go to their namesakes. */
  readonly targets: readonly Target[] | undefined;
  /** Replacements by column, for templates. */
  readonly replacements: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Columns of the file that go nowhere. */
  readonly unused: readonly string[];
  /** Objects whose records earlier files of the same import bring with their ids. */
  readonly brought: readonly ObjectModel[];
  /** Which rows with the match values of another row are written. */
  readonly doubles: 'both' | 'first' | 'last';
  /** Storage keys of the fields whose values are left out when they do not fit; those of all others reject their row. */
  readonly leftOut: ReadonlySet<string>;
}

/** The plan of a file that is imported after these. */
export function planAfter(plan: ImportPlan, earlier: readonly ImportPlan[]): ImportPlan {
  const brought = earlier.flatMap(({ object, match }) => (match[0]?.key === 'id' ? [object] : []));
  const targets = plan.targets?.map((target) => broughtReference(target, brought));
  return { ...plan, brought, targets };
}

/** By its id, for in a dry run such a record is not there. */
export function broughtReference(target: Target, brought: readonly ObjectModel[]): Target {
  const { field, lookup } = target;
  const object = brought.find(({ object_type }) => isReferenceTo(field, object_type));
  if (object === undefined || lookup !== undefined) return target;
  return { ...target, lookup: { object, field: object.fields.get('id') as Field } };
}

/** `columns`: the header, undefined for JSON lines. Throws an operator error with every problem. */
export function compileMapping(
  model: WorkspaceModel,
  mapping: Mapping,
  columns: readonly string[] | undefined,
  path: string,
): Omit<ImportPlan, 'noStatus'> {
  const { object, subject } = subjectOf(model, mapping, path);
  const isUntyped = object.object_type === WORK_ITEMS && model.work_item_types.size === 0;
  if (isUntyped && subject.kind === 'records') {
    throw refuseMapping(path, [`${WORK_ITEMS} have no types: add one to work_item_types first`]);
  }
  const problems: string[] = [];
  const report: Report = (at, problem) => problems.push(`${at}: ${problem}`);
  const targets = compileTargets(
    model,
    object,
    { columns: writtenColumns(mapping, columns, object), header: columns },
    report,
  );
  const made = compileMade(model, object, mapping.fields ?? {}, report);
  const match = mapping.match ?? [];
  const all =
    targets &&
    joinParts([...targets, ...made]).map((target) => ownReference(target, object, match));
  if (targets === undefined && made.length > 0) {
    report('fields', 'needs "columns" when the file is JSON lines');
  }
  refuseRepetitions(all ?? [], report);
  const sources = (all ?? []).flatMap(columnsOf);
  if (columns !== undefined) {
    for (const { column, at } of sources) {
      if (!columns.includes(column)) report(at, missing('column of the file', column, columns));
    }
  }
  const matched = compileMatch(object, match, all, report);
  requireTargets(subject, all, report);
  if (problems.length > 0) throw refuseMapping(path, problems);
  const used = new Set(sources.map(({ column }) => column));
  const unused = (columns ?? []).filter((column) => !used.has(column) && !isNoteColumn(column));
  const replacements = replacementsOf(all ?? []);
  const { doubles = 'both', unfit_values } = mapping;
  const leavesOut = unfit_values === 'leave_out';
  if (leavesOut && subject.kind !== 'records') report('unfit_values', 'needs object_type');
  if (doubles !== 'both' && match.length === 0) report('doubles', 'needs match');
  if (problems.length > 0) throw refuseMapping(path, problems);
  const leftOut = new Set(leavesOut ? optionalKeys(object, matched) : []);
  const about = { model, object, subject, match: matched, doubles, leftOut };
  const typed = columns === undefined;
  return { ...about, idOfLine: undefined, typed, targets: all, replacements, unused, brought: [] };
}

function optionalKeys({ fields }: ObjectModel, match: readonly Field[]): readonly string[] {
  const optional = [...fields.values(), AUTHOR_FIELD].filter(
    (field) => !field.required && !match.includes(field),
  );
  return optional.map(({ storage_key }) => storage_key);
}

/** When rows bring ids, a reference may name a record that comes later in the file by its id. */
export function ownReference(
  target: Target,
  object: ObjectModel,
  match: readonly string[],
): Target {
  const { field, lookup } = target;
  if (match[0] !== 'id' || lookup !== undefined || isPseudoObject(object)) return target;
  if (!isReferenceTo(field, object.object_type)) return target;
  return { ...target, lookup: { object, field: object.fields.get('id') as Field } };
}

/**
 * The columns of the mapping; without any, those of the header, but for computed fields; undefined when there is neither.
 */
function writtenColumns(
  mapping: Mapping,
  columns: readonly string[] | undefined,
  object: ObjectModel,
): Mapping['columns'] {
  if (mapping.columns !== undefined || columns === undefined) return mapping.columns;
  const made = Object.keys(mapping.fields ?? {});
  const rest = columns.filter(
    (column) => !made.includes(column) && !isNoteColumn(column) && !isComputed(object, column),
  );
  return Object.fromEntries(rest.map((column) => [column, [{ field: column }]]));
}

function compileTargets(
  model: WorkspaceModel,
  object: ObjectModel,
  { columns, header }: { readonly columns: Mapping['columns']; readonly header: Header },
  report: Report,
): readonly Target[] | undefined {
  if (columns === undefined) return undefined;
  return Object.entries(columns).flatMap(([written, list]) =>
    list.flatMap(({ field: name, ...conversions }) => {
      const at = `columns.${written}`;
      const source = { kind: 'column', column: columnNamed(written, header) } as const;
      return compileTarget({ model, object, at, report }, name, source, conversions);
    }),
  );
}

/** Columns of the file; undefined for JSON lines. */
type Header = readonly string[] | undefined;

/** The heading on one line, as the header of a table has it (table-layout.ts). */
function columnNamed(written: string, header: Header): string {
  const plain = headingText(written);
  return header?.includes(written) === false && header.includes(plain) ? plain : written;
}

function compileMade(
  model: WorkspaceModel,
  object: ObjectModel,
  fields: NonNullable<Mapping['fields']>,
  report: Report,
): readonly Target[] {
  return Object.entries(fields).flatMap(([name, { template, constant, ...conversions }]) => {
    const at = `fields.${name}`;
    const scope = { model, object, at, report };
    if ((template === undefined) === (constant === undefined)) {
      report(at, 'needs either a template or a constant');
      return [];
    }
    if (template === undefined) {
      return compileTarget(scope, name, { kind: 'constant', value: constant }, conversions);
    }
    const parts = parseTemplate(template);
    if (typeof parts !== 'string') {
      return compileTarget(scope, name, { kind: 'template', parts }, conversions);
    }
    report(`${at}.template`, parts);
    return [];
  });
}

function compileMatch(
  object: ObjectModel,
  keys: readonly string[],
  targets: readonly Target[] | undefined,
  report: Report,
): readonly Field[] {
  if (isPseudoObject(object)) {
    if (keys.length > 0)
      report('match', 'comments and links are identified by the record they belong to');
    return [];
  }
  const names = targets?.map(({ field }) => field.key);
  const keepsIds = keys.join() === 'id';
  if (!keepsIds && (keys.includes('id') || names?.includes('id') === true)) {
    report('id', 'already identifies records: match by it alone, or remove its column');
  }
  const isByType = object.object_type === WORK_ITEMS && keys.length > 0 && !keepsIds;
  if (isByType && names?.includes(TYPE_KEY) === false) {
    report('match', `work items are matched within their type: a column must give ${TYPE_KEY}`);
  }
  return keys.flatMap((key) => {
    const field = findField(object, key);
    if (typeof field === 'string') report('match', field);
    else if (field === AUTHOR_FIELD || !isIdentifying(field)) {
      report('match', `${key} cannot be compared`);
    } else if (targets !== undefined && !targets.some((target) => target.field === field)) {
      report('match', `no column gives ${key}`);
    } else return [field];
    return [];
  });
}

/** Several columns of one list become one target. */
function joinParts(targets: readonly Target[]): readonly Target[] {
  return targets.flatMap((target, index) => {
    const { field } = target;
    const isList = FIELD_TYPE_TRAITS[field.type].isList || field === MENTIONS_FIELD;
    const parts = targets.filter((one) => one.field === field);
    if (!isList || parts.length === 1) return [target];
    const isFirst = targets.findIndex((one) => one.field === field) === index;
    return isFirst ? [{ ...target, source: { kind: 'parts', parts } as const }] : [];
  });
}

function refuseRepetitions(targets: readonly Target[], report: Report): void {
  const seen = new Set<Field>();
  for (const { field } of targets) {
    if (seen.has(field)) report(field.key, 'is written more than once');
    seen.add(field);
  }
}

interface UsedColumn {
  readonly column: string;
  readonly at: string;
}

function columnsOf({ source, field }: Target): readonly UsedColumn[] {
  if (source.kind === 'column') return [{ column: source.column, at: `columns.${source.column}` }];
  if (source.kind === 'parts') return source.parts.flatMap(columnsOf);
  const named = source.kind === 'template' ? templateColumns(source.parts) : [];
  return named.map((column) => ({ column, at: `fields.${field.key}.template` }));
}

/** A column that replaces values does so in templates too. */
function replacementsOf(targets: readonly Target[]): ImportPlan['replacements'] {
  return new Map(
    targets.flatMap(({ source, values }) =>
      source.kind === 'column' && values.size > 0 ? [[source.column, values] as const] : [],
    ),
  );
}
