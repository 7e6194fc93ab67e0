// A record with everything that belongs to it: on a page of its own, or beside a list.

import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { type RefObject, useDeferredValue, useMemo } from 'react';
import { useCanChange } from '../../lib/permissions.ts';
import type { RecordPart } from '../../lib/record-part.ts';
import { layoutOf } from './field-layout.ts';
import { useFieldRights } from './field-rights.ts';
import { RecordFields } from './record-fields.tsx';
import { RecordHead } from './record-head.tsx';
import classes from './record-view.module.css';
import { SideParts } from './side-parts.tsx';

export interface RecordParts {
  /** Below the fields. */
  readonly main: readonly RecordPart[];
  /** The parts beside them. */
  readonly side: readonly RecordPart[];
}

interface RecordViewProps extends RecordParts {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
  readonly layout: 'page' | 'peek';
  /** The heading of a page, which takes the focus. */
  readonly heading?: RefObject<HTMLHeadingElement | null>;
}

export function RecordView({ object, record, main, side, layout, heading }: RecordViewProps) {
  const canChange = useCanChange(object, record, 'update');
  const rights = useFieldRights(object, canChange);
  const { facts, sections } = useMemo(() => layoutOf(object), [object]);
  const props = { object, record, canChange };
  // The values come at once and the parts after them: keys and clicks do not wait for all of it.
  const hasParts = useDeferredValue(true, false);
  const offered = (parts: readonly RecordPart[]) =>
    hasParts ? parts.filter(({ isOffered }) => isOffered(object)) : [];
  return (
    <div className={classes.view} data-layout={layout}>
      <div className={classes.main}>
        <RecordHead {...props} {...{ facts, rights, heading }} level={layout === 'page' ? 1 : 2} />
        <RecordFields {...{ object, record, sections, rights }} />
        <div className={classes.parts}>
          {offered(main).map(({ key, Part }) => (
            <Part key={key} {...props} />
          ))}
        </div>
      </div>
      <SideParts {...props} parts={offered(side)} />
    </div>
  );
}
