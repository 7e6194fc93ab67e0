// The fields of an object in their order, by sections; moved by mouse, by the menu and with Alt and the arrow keys.

import { Text } from '@mantine/core';
import { useMemo } from 'react';
import {
  type DefinitionDocument,
  type FieldEntry,
  type ObjectEntry,
  orderedKeys,
  valueAt,
  withValue,
} from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { withoutField } from '../../lib/definition/remove.ts';
import { pathInForce, presentKey, renameEntry } from '../../lib/definition/rename.ts';
import { useT } from '../../lib/messages/index.ts';
import framed from '../../ui/framed-rows.module.css';
import { Section } from '../../ui/section.tsx';
import { stateOf } from './entry-state.tsx';
import { movedBefore, sectionsOf } from './field-order.ts';
import { type FieldActions, FieldRow, RemovedField } from './field-row.tsx';
import classes from './model.module.css';
import { useOpen } from './use-open.ts';

interface FieldListProps {
  readonly type: string;
  readonly object: ObjectEntry;
}

export function FieldList({ type, object }: FieldListProps) {
  const t = useT();
  const { document, present } = useDefinition();
  const order = useMemo(() => orderedKeys(object.fields, object.field_order), [object]);
  const sections = useMemo(() => sectionsOf(object, order), [object, order]);
  const stored = valueAt(
    present.document,
    pathInForce(present.document, document, ['objects', type, 'fields']),
  );
  const gone = Object.entries((stored ?? {}) as ObjectEntry['fields']).filter(
    ([key]) => presentKey(object.fields, key) === undefined,
  );
  const actions = useFieldActions(type);
  return (
    <Section title={t('fields.title')} text={t('fields.text')}>
      {sections.map(({ name, keys }) => (
        <div key={name ?? ''}>
          {name !== undefined && (
            <Text component="h3" c="dimmed" fz="xs" fw={500} mt="lg" mb="xs">
              {name}
            </Text>
          )}
          <ul className={`${framed.rows} ${classes.fields}`} aria-label={name ?? t('fields.title')}>
            {keys.map((key) => (
              <FieldRow
                key={key}
                fieldKey={key}
                field={object.fields[key] as ObjectEntry['fields'][string]}
                state={stateOf(present.document, document, ['objects', type, 'fields', key])}
                role={roleOf(object, key)}
                actions={actions}
                target={nameOfTarget(document, object.fields[key])}
                above={keys[keys.indexOf(key) - 1]}
                below={keys[keys.indexOf(key) + 1]}
                after={order[order.indexOf(keys[keys.indexOf(key) + 1] ?? key) + 1]}
              />
            ))}
          </ul>
        </div>
      ))}
      {gone.length > 0 && (
        <ul className={`${framed.rows} ${classes.fields}`} aria-label={t('fields.removed')}>
          {gone.map(([key, field]) => (
            <RemovedField key={key} type={type} fieldKey={key} field={field} />
          ))}
        </ul>
      )}
      {order.length === 0 && <Text c="dimmed">{t('fields.none')}</Text>}
    </Section>
  );
}

/** The actions on fields; the object stays the same until the definition in force changes. */
function useFieldActions(type: string): FieldActions {
  const { present, change } = useDefinition();
  const open = useOpen();
  return useMemo(
    () => ({
      open: (key) => open({ field: key }),
      move: (key, before) =>
        change((now) => {
          const { fields, field_order } = now.objects[type] as ObjectEntry;
          const next = movedBefore(orderedKeys(fields, field_order), key, before);
          return withValue(now, ['objects', type, 'field_order'], next);
        }),
      revert(key) {
        const at = ['objects', type, 'fields', key];
        change((now) => {
          const stored = pathInForce(present.document, now, at);
          const old = stored.at(-1) ?? key;
          const back = renameEntry(now, present.document, at, old);
          const place = ['objects', type, 'fields', old];
          return withValue(back, place, valueAt(present.document, stored));
        });
      },
      remove: (key) => change((now) => withoutField(now, type, key)),
    }),
    [present, change, open, type],
  );
}

function nameOfTarget(
  { objects }: DefinitionDocument,
  field: FieldEntry | undefined,
): string | undefined {
  const target = field?.reference_object_type;
  return target === undefined ? undefined : (objects[target]?.name ?? target);
}

function roleOf(object: ObjectEntry, key: string): 'display' | 'subtitle' | undefined {
  if (object.display_field === key) return 'display';
  return object.subtitle_field === key ? 'subtitle' : undefined;
}
