// German.

import type { Catalogue } from '../index.ts';
import { auth } from './auth.ts';
import { filters } from './filters.ts';
import { records } from './records.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';

export const de: Catalogue = { ...shell, ...auth, ...settings, ...records, ...filters };
