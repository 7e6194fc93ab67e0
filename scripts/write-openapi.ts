// Writes docs/openapi.json (scripts/build.mjs).

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from './openapi-text.ts';

writeFileSync(join(import.meta.dirname, '..', 'docs', 'openapi.json'), openApiText());
