// Whether the dialog that makes an object from a file is open.

import { createDialogState } from '../lib/dialog-state.ts';

export const { open: makeFromFile, useClose: useObjectFile } = createDialogState();
