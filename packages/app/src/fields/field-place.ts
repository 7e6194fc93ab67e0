// Where a value is shown. In a grid one cell takes the focus, so links in cells are not in the order of the Tab key: Enter,
// or Ctrl Enter, follows them.

import type { RecordData } from '@workspace-records/client';
import { createContext, useContext } from 'react';

export const InGrid = createContext(false);

/** The record whose values are shown; undefined: files of it cannot be fetched. */
export const RecordOfFiles = createContext<Pick<RecordData, 'object_type' | 'id'> | undefined>(
  undefined,
);

export function useFilePlace() {
  return useContext(RecordOfFiles);
}

/** The `tabIndex` of a link in a value. */
export function useLinkTabIndex(): -1 | undefined {
  return useContext(InGrid) ? -1 : undefined;
}
