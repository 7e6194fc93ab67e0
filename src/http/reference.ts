// The reference page: Scalar's viewer over the OpenAPI document, from files of this installation and
// without any request to another host. The page holds no data of a workspace and needs no key.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A document of the service itself, served without a key. */
export interface PublicDocument {
  readonly path: string;
  load(): PublicFile;
}

export interface PublicFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Nothing may come from, or go to, another host: the page works offline and tells no one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const CONFIGURATION = {
  url: '/v1/openapi.json',
  // Left out, requests tried on the page would go through a proxy of the vendor, keys included.
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  documentDownloadType: 'json',
  defaultOpenAllTags: true,
  metaData: { title: 'Workspace Records' },
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace Records: API reference</title>
</head>
<body>
<script id="api-reference" type="application/json" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
<script src="/reference/standalone.js"></script>
</body>
</html>
`;

/** `/reference` and the script it loads; nothing when the script is not installed. */
export function referenceDocuments(): readonly PublicDocument[] {
  const script = findScript();
  if (script === undefined) return [];
  const page = fileOf(Buffer.from(PAGE), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  });
  let loaded: PublicFile | undefined;
  return [
    { path: '/reference', load: () => page },
    {
      path: '/reference/standalone.js',
      load() {
        loaded ??= fileOf(readFileSync(script), {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Cache-Control': 'public, max-age=3600',
        });
        return loaded;
      },
    },
  ];
}

export function fileOf(body: Buffer, headers: Readonly<Record<string, string>>): PublicFile {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, headers: { ...headers, ETag: `"${digest}"` } };
}

/** Beside the compiled service (scripts/build.mjs copies it there), else in node_modules. */
function findScript(): string | undefined {
  const copied = join(import.meta.dirname, '..', 'reference', 'standalone.js');
  if (existsSync(copied)) return copied;
  try {
    const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
    const found = join(dirname(entry), 'browser', 'standalone.js');
    return existsSync(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
