// The draft of a new record. That of the dialog is kept in this tab until the record is made, and that of a line of a list
// as long as the line is open.

import { useState } from 'react';
import { isSame } from '../lib/field-value.ts';
import { makeKey } from '../lib/idempotency-key.ts';
import { readDraft, writeDraft } from '../lib/storage.ts';
import type { Drafts, Values } from './form-values.ts';

/** A sent request: the same content again has the same key, so that it takes effect once. */
interface Intent {
  readonly fields: Values;
  readonly key: string;
}

interface StoredDraft {
  readonly drafts: Drafts;
  readonly intent?: Intent;
}

const NOTHING: StoredDraft = { drafts: {} };

/** `name`: where it is kept, by the record that it is about; undefined: nowhere. */
export function useCreationDrafts(name: string | undefined) {
  const [stored, setStored] = useState(() => keptDraft(name) ?? NOTHING);
  const [hasOld, setHasOld] = useState(stored !== NOTHING);
  const keep = (next: StoredDraft) => {
    if (name !== undefined) writeDraft(name, next === NOTHING ? undefined : next);
    setStored(next);
  };
  return {
    drafts: stored.drafts,
    /** True: something was begun earlier. */
    hasOld,
    change(key: string, draft: unknown) {
      keep({ ...stored, drafts: { ...stored.drafts, [key]: draft } });
    },
    forget() {
      setHasOld(false);
      keep(NOTHING);
    },
    keyOf(fields: Values): string {
      if (stored.intent !== undefined && isSame(stored.intent.fields, fields))
        return stored.intent.key;
      const key = makeKey();
      keep({ ...stored, intent: { fields, key } });
      return key;
    },
  };
}

function keptDraft(name: string | undefined): StoredDraft | undefined {
  return name === undefined ? undefined : (readDraft(name) as StoredDraft | undefined);
}
