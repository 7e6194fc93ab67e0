// The fields of a record that the person can edit, and the reasons why the others are locked. The right to assign
// records is requested when the pointer or the focus enters the fields.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { lockOf } from '../../editing/field-locks.ts';
import type { PlainKey } from '../../lib/messages/index.ts';
import { useMayAssign } from '../../lib/schema-queries.ts';

interface FieldRight {
  readonly canChange: boolean;
  readonly lock: PlainKey | undefined;
}

export interface FieldRights {
  of(field: Field): FieldRight;
  /** The handlers of the element around the fields. */
  readonly touched: { readonly onPointerEnter: () => void; readonly onFocus: () => void };
}

export function useFieldRights(object: ObjectDefinition, canChange: boolean): FieldRights {
  const [isTouched, setTouched] = useState(false);
  const mayAssign = useMayAssign(object, canChange && isTouched);
  const touch = () => setTouched(true);
  return {
    of(field) {
      const lock = canChange ? lockOf(field, mayAssign) : undefined;
      return { canChange: canChange && lock === undefined, lock };
    },
    touched: { onPointerEnter: touch, onFocus: touch },
  };
}
