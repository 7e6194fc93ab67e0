// The fields of a record in their sections; those without a value are folded away until somebody unfolds them.

import { Button, Text } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { isLong } from '../../lib/field-facts.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import type { PartProps } from '../../lib/record-part.ts';
import { readSetting, writeSetting } from '../../lib/storage.ts';
import { fieldPlace, useEdits } from '../../lib/unsaved-edits.ts';
import { Icon } from '../../ui/icon.tsx';
import { type FieldSection, foldedFields } from './field-layout.ts';
import type { FieldRights } from './field-rights.ts';
import { FieldRow } from './field-row.tsx';
import classes from './record-fields.module.css';

interface RecordFieldsProps extends Pick<PartProps, 'object' | 'record'> {
  readonly sections: readonly FieldSection[];
  readonly rights: FieldRights;
}

export function RecordFields({ object, record, sections, rights }: RecordFieldsProps) {
  const t = useT();
  const [isUnfolded, setUnfolded] = useUnfolded(object.object_type);
  const kept = useShownBefore(record, sections);
  const folded = foldedFields(sections, record, kept);
  const isShown = ({ key }: Field) => isUnfolded || !folded.has(key);
  return (
    <section className={classes.fields} aria-label={t('record.fields')} {...rights.touched}>
      {sections.map(({ name, fields }) => {
        const visibleFields = fields.filter(isShown);
        if (visibleFields.length === 0) return null;
        return (
          <div key={name ?? ''}>
            <Text component="h2" fz="sm" fw={600} mb="xs">
              {name ?? t('record.details')}
            </Text>
            <div className={classes.grid}>
              {visibleFields.map((field) => (
                <FieldRow
                  key={field.key}
                  {...{ field, record }}
                  isWide={isLong(field)}
                  {...rights.of(field)}
                />
              ))}
            </div>
          </div>
        );
      })}
      {folded.size > 0 && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.fold}
          leftSection={<Icon name={isUnfolded ? 'chevron' : 'right'} size={12} />}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {t(isUnfolded ? 'record.hideEmpty' : 'record.showEmpty', { count: folded.size })}
        </Button>
      )}
    </section>
  );
}

/** Kept for all records of the object in this browser. */
function useUnfolded(type: string) {
  const name = `unfolded.${type}`;
  const [isUnfolded, setUnfolded] = useState(() => readSetting(name) === 'yes');
  const keep = (next: boolean) => {
    writeSetting(name, next ? 'yes' : 'no');
    setUnfolded(next);
  };
  return [isUnfolded, keep] as const;
}

/** A field that loses its value while the page is open stays where it is, and so does one with an unsaved edit. */
function useShownBefore(record: PartProps['record'], sections: readonly FieldSection[]) {
  const fields = sections.flatMap((section) => section.fields);
  const edits = useEdits();
  const isUnsaved = (field: Field) => edits.find(fieldPlace(record, field)) !== undefined;
  const [shown] = useState(() => new Set(fields.filter(isUnsaved).map(({ key }) => key)));
  for (const field of fields) if (fieldValue(record, field) !== null) shown.add(field.key);
  return ({ key }: Field) => shown.has(key);
}
