// The mapping of a draft, as the service and the command `import` take it (definitions/mapping.schema.json). Pure.

import type { Endpoints, ObjectDefinition } from '@workspace-records/client';
import { writtenOf } from '../../../../tables/src/propose-mapping.ts';
import type { TableFormat } from '../../../../tables/src/reading.ts';
import { isOfPerson } from '../../lib/field-facts.ts';
import type { ColumnPlan, ImportDraft, Target } from './import-draft.ts';
import { importFields, referenceOf } from './import-fields.ts';

export type MappingDocument = NonNullable<Endpoints['startImport']['body']['mapping']>;
type Columns = NonNullable<MappingDocument['columns']>;
type ColumnTarget = Columns[string];

export function mappingOf(
  { object, head }: Pick<Target, 'object' | 'head'>,
  draft: ImportDraft,
  table: TableFormat,
): MappingDocument {
  const columns = draft.columns.flatMap((plan) => {
    const target = targetOf(object, plan);
    return target === undefined ? [] : [[plan.heading, target] as const];
  });
  const fields = {
    ...Object.fromEntries(
      Object.entries(draft.templates).map(([key, template]) => [key, { template }] as const),
    ),
    ...Object.fromEntries(
      Object.entries(draft.constants).map(([key, constant]) => [key, { constant }] as const),
    ),
  };
  return {
    ...head,
    ...writtenOf(table),
    ...(draft.skipsUneven === true ? { uneven_rows: 'skip' as const } : {}),
    ...(draft.leavesOutUnfit === true ? { unfit_values: 'leave_out' as const } : {}),
    // Comments and links are identified by the service.
    ...(isOfRecords({ head }) && draft.match.length > 0 ? { match: [...draft.match] } : {}),
    ...(draft.doubles === undefined || draft.match.length === 0 ? {} : { doubles: draft.doubles }),
    columns: Object.fromEntries(columns),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

export function isOfRecords({ head }: Pick<Target, 'head'>): boolean {
  return head.object_type !== undefined;
}

function targetOf(object: ObjectDefinition, plan: ColumnPlan): ColumnTarget | undefined {
  const field = importFields(object).find(({ key }) => key === plan.field);
  if (field === undefined) return undefined;
  const { values, separator, form, naming, missing } = plan;
  const type = referenceOf(field);
  const isLookup = type !== undefined && naming !== undefined && naming !== 'id';
  const conversions = {
    ...form,
    ...(Object.keys(values).length === 0 ? {} : { values }),
    ...(separator === undefined ? {} : { separator }),
    ...(isLookup ? { lookup: { object_type: type, field: naming } } : {}),
    ...(isOfPerson(field) && naming === 'name' ? { user: 'name' as const } : {}),
    ...(missing === 'empty' && (isLookup || isOfPerson(field)) ? { fallback: null } : {}),
  };
  if (Object.keys(conversions).length === 0) return field.key;
  return { field: field.key, ...conversions } as ColumnTarget;
}
