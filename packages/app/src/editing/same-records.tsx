// Records with the name, e-mail address or telephone number that a person types for a new one, below its field.

import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Field, LIMITS, type ObjectDefinition, type Where } from '@workspace-records/client';
import { Fragment } from 'react';
import { editOf } from '../fields/edits.ts';
import { parseEdited } from '../fields/field-edit.ts';
import { factsOf, isQueryable } from '../lib/field-facts.ts';
import { fieldValue } from '../lib/field-value.ts';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { recordName } from '../lib/record-name.ts';
import { useSession } from '../lib/session.ts';
import classes from './creation-form.module.css';
import { useIndexedKeys } from './filters/indexed-fields.ts';

/** Milliseconds without a key before the request. */
const REST = 400;
/** The most records that are shown. */
const MOST = 3;

interface SameRecordsProps {
  readonly object: ObjectDefinition;
  readonly field: Field;
  /** The draft of the field. */
  readonly draft: unknown;
}

/** Only below fields by which records can be the same thing. */
export function SameRecords(props: SameRecordsProps) {
  const { object, field } = props;
  return isContact(field) || isName(object, field) ? <Found {...props} /> : null;
}

function Found({ object, field, draft }: SameRecordsProps) {
  const t = useT();
  const { workspace, client } = useSession();
  const { object_type: type } = object;
  const where = useQuestion(object, field, draft);
  const [rested] = useDebouncedValue(draft, REST);
  const contacts = object.fields.filter((one) => one.key !== field.key && isContact(one));
  const { data = [] } = useQuery({
    // Another draft ends the request for this one.
    queryKey: [workspace, type, 'same', field.key, draft],
    queryFn: async ({ signal }) => {
      const fields = [field, ...contacts].map(({ key }) => key).slice(0, LIMITS.selectedFields);
      return (await client.records(type).query({ where, fields, limit: MOST }, { signal })).data;
    },
    ...{ enabled: where !== undefined && draft === rested, staleTime: 0, gcTime: 0 },
  });
  return (
    <div role="status" className={classes.same}>
      {data.length > 0 && t('create.same')}
      {data.map((record, index) => {
        const { id, display } = record;
        const contact = contacts.map((one) => fieldValue(record, one)).find((one) => one !== null);
        const parts = [recordName({ display }), ...(contact === undefined ? [] : [contact])];
        return (
          <Fragment key={id}>
            {index === 0 ? ' ' : ', '}
            <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} target="_blank">
              {parts.join(' · ')}
            </Link>
          </Fragment>
        );
      })}
    </div>
  );
}

function isContact(field: Field): boolean {
  return isQueryable(field) && factsOf(field).contact;
}

function isName({ display_field }: ObjectDefinition, field: Field): boolean {
  return field.key === display_field && factsOf(field).operators.includes('starts_with');
}

/** Undefined: nothing is asked, because the field is empty, has no value yet, or has no index. */
function useQuestion(object: ObjectDefinition, field: Field, draft: unknown): Where | undefined {
  const language = useLanguage();
  const edit = editOf(field);
  const parsed = edit && parseEdited(edit, { draft, began: null }, language);
  const value = parsed !== undefined && 'value' in parsed ? parsed.value : null;
  const { key } = field;
  const isOfName = isName(object, field);
  const indexed = useIndexedKeys(object.object_type, !isOfName && value !== null);
  if (typeof value !== 'string') return undefined;
  if (!isOfName) return indexed?.has(key) ? { field: key, op: 'eq', value } : undefined;
  const { length } = [...value];
  if (length < LIMITS.matchedTextMinimum || length > LIMITS.textQueryLength) return undefined;
  // These two disregard the case.
  return {
    all: [
      { field: key, op: 'starts_with', value },
      { field: key, op: 'ends_with', value },
    ],
  };
}
