// Listen von Datensätzen, und ein Datensatz.

import type { records as english } from '../en/records.ts';
import type { Translated } from '../translated.ts';

export const records: Translated<typeof english> = {};
