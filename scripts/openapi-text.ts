// The text of docs/openapi.json, which the build writes and a release has; git keeps its digest only.

import { createHash } from 'node:crypto';
import { ABOUT, ROUTES } from '../src/api/index.ts';
import { buildOpenApi } from '../src/http/documents/openapi.ts';

export function openApiText(): string {
  return `${JSON.stringify(buildOpenApi(ROUTES, ABOUT), null, 2)}\n`;
}

/** A line as `sha256sum --check` reads it in the folder docs. */
export function openApiDigest(): string {
  return `${createHash('sha256').update(openApiText()).digest('hex')}  openapi.json\n`;
}
