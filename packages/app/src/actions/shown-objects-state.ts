// Whether the dialog with the objects of the navigation is open.

import { createDialogState } from '../lib/dialog-state.ts';

export const { open: chooseObjects, useClose: useObjectsChoice } = createDialogState();
