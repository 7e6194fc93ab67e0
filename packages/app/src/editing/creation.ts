// The record that a person is about to make: requested by lists, boards, records and the palette; one dialog serves
// all of them, and its code is loaded on first use.

import type { RecordData } from '@workspace-records/client';
import { createStore, useStore } from '../lib/store.ts';

export interface CreationRequest {
  readonly type: string;
  /** Values by key of a field, such as the company whose deal it is to be. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** Called with each new record; without it the page of the record opens. */
  readonly onCreated?: (record: RecordData) => void;
}

const wanted = createStore<CreationRequest | undefined>(undefined);

export function openCreation(request: CreationRequest): void {
  wanted.set(request);
}

export function closeCreation(): void {
  wanted.set(undefined);
}

export function useCreation(): CreationRequest | undefined {
  return useStore(wanted);
}
