// A part of the page of a record that another feature brings: routes/ put them together.

import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import type { ComponentType } from 'react';
import type { PlainKey } from './messages/index.ts';

export interface PartProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
  /** True when the person may change the record. */
  readonly canChange: boolean;
}

export interface RecordPart {
  readonly key: string;
  readonly title: PlainKey;
  /** False: records of this object have no such part. */
  isOffered(object: ObjectDefinition): boolean;
  readonly Part: ComponentType<PartProps>;
}
