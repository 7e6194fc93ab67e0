// The component that shows a value of a type of field: in a cell of a list, on the page of a record.

import type { Field } from '@workspace-records/client';
import type { ComponentType } from 'react';

export interface ShowProps {
  /** Never null: an empty value is not shown. */
  readonly value: unknown;
  readonly field: Field;
}

export interface FieldShow {
  readonly Show: ComponentType<ShowProps>;
  /** Pixels of a column. */
  readonly width: number;
  readonly align?: 'end';
  /** False: lists are not sorted by it, or in an order without meaning to people. */
  readonly isSorted?: false;
}
