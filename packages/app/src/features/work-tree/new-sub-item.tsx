// The last line of a branch: a button, and after a click the title of a new work item below this one.

import { Group } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useMemo, useRef, useState } from 'react';
import type { CreationRequest } from '../../editing/creation.ts';
import { InlineField } from '../../editing/inline-field.tsx';
import { InlineFoot } from '../../editing/inline-foot.tsx';
import { useCreatable } from '../../editing/use-creatable.ts';
import { useInlineCreation } from '../../editing/use-inline-creation.ts';
import { canCreate } from '../../lib/creation-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import { TYPE_KEY } from '../../lib/schema-queries.ts';
import { PARENT_KEY } from '../../lib/work-tree.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './work-tree.module.css';

interface NewSubItemProps {
  /** The id of the work item above the new one. */
  readonly parent: string;
  readonly object: ObjectDefinition;
}

export function NewSubItem({ parent, object }: NewSubItemProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const name = object.singular_name ?? object.name ?? object.object_type;
  if (!canCreate(object)) return null;
  if (isOpen) return <Line {...{ parent, object }} onClose={() => setOpen(false)} />;
  return (
    <button type="button" className={classes.new} onClick={() => setOpen(true)}>
      <Icon name="plus" size={14} />
      {t('create.new', { name })}
    </button>
  );
}

interface LineProps extends NewSubItemProps {
  readonly onClose: () => void;
}

function Line({ parent, object: { object_type: type }, onClose }: LineProps) {
  const wished = useMemo<CreationRequest>(
    () => ({ type, preset: { [PARENT_KEY]: parent }, onCreated: () => undefined }),
    [type, parent],
  );
  const { object, access, request, chooseType } = useCreatable(wished, 'line');
  if (object === undefined || access === undefined) return null;
  return <Editors {...{ object, access, request, onClose }} onType={chooseType} />;
}

type EditorsProps = Omit<Parameters<typeof useInlineCreation>[0], 'isShown' | 'line'>;

function Editors(props: EditorsProps) {
  const { display_field, work_item_types: types = [] } = props.object;
  const line = useRef<HTMLDivElement>(null);
  // One type needs no choice.
  const isShown = ({ key }: Field) =>
    key === display_field || (key === TYPE_KEY && types.length > 1);
  const creation = useInlineCreation({ ...props, line, isShown });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to what is in it.
    <div onKeyDown={creation.onKeyDown} aria-busy={creation.form.isPending}>
      <Group ref={line} align="stretch" gap="sm" px="sm">
        {creation.fields.filter(isShown).map((field) => (
          <InlineField key={field.key} field={field} creation={creation} />
        ))}
      </Group>
      <InlineFoot creation={creation} />
    </div>
  );
}
