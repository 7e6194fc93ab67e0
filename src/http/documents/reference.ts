// The reference page: Scalar's viewer over the OpenAPI document, from files of this installation and
// without any request to another host. The page holds no data of a workspace and needs no key.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { entityTag } from '../../model/values/entity-tag.ts';
import { packagePath } from '../../package-folder.ts';
import type { Coding } from '../answer/content-coding.ts';

/** A document of the service itself, served without a key. */
export interface PublicDocument {
  readonly path: string;
  load(): PublicFile;
}

export interface PublicFile {
  readonly body: Buffer;
  /** The headers without `ETag` and those that depend on the coding. */
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** The body in other codings, the smallest first. */
  readonly encoded: ReadonlyMap<Coding, Buffer>;
}

/** Content security policy: the page loads from and sends to no other host, so it works offline. */
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
<script src="/reference/no-eval.js"></script>
<script id="api-reference" type="application/json" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
<script src="/reference/standalone.js"></script>
</body>
</html>
`;

/**
 * The viewer tests once whether it may make code from text, and works without. The policy refuses it, but the browser
 * would log every such test in the console; this script refuses it before (D412).
 */
const NO_EVAL = `{
  const refuse = () => {
    throw new EvalError('This page makes no code from text.');
  };
  globalThis.Function = new Proxy(Function, { apply: refuse, construct: refuse });
}
`;

/** Requested by browsers from every host; a 401 would appear in the console of each page. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#2457c5"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5"/></svg>';

const DAY = { 'Cache-Control': 'public, max-age=86400' };

const SCRIPT = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
};

/** Paths that crawlers and browsers request by themselves. */
export function probedDocuments(securityContact: string | undefined): readonly PublicDocument[] {
  const icon = fileOf(ICON, { 'Content-Type': 'image/svg+xml', ...DAY });
  const robots = fileOf('User-agent: *\nDisallow: /\n', {
    'Content-Type': 'text/plain; charset=utf-8',
    ...DAY,
  });
  return [
    { path: '/favicon.ico', load: () => icon },
    { path: '/robots.txt', load: () => robots },
    ...(securityContact === undefined ? [] : [securityDocument(securityContact)]),
  ];
}

/** Where to report a vulnerability of this installation (RFC 9116); what it says is valid for a year from its day. */
function securityDocument(contact: string): PublicDocument {
  return {
    path: '/.well-known/security.txt',
    load() {
      const now = new Date();
      const expires = Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate());
      const text = `Contact: ${contact}\nExpires: ${new Date(expires).toISOString()}\nPreferred-Languages: en\n`;
      return fileOf(text, { 'Content-Type': 'text/plain; charset=utf-8', ...DAY });
    },
  };
}

/** `/reference` and the scripts it loads; none when the script is not installed. */
export function referenceDocuments(): readonly PublicDocument[] {
  const script = findScript();
  if (script === undefined) return [];
  const noEval = fileOf(NO_EVAL, SCRIPT);
  const page = fileOf(PAGE, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  });
  return [
    { path: '/reference', load: () => page },
    { path: '/reference/no-eval.js', load: () => noEval },
    scriptDocument(script),
  ];
}

/** A script and its compressed form, which the build puts next to it. */
export function scriptDocument(file: string): PublicDocument {
  return keptFile('/reference/standalone.js', file, SCRIPT);
}

/** A file, read with the first request, and its compressed forms, where the build has put them next to it. */
export function keptFile(
  path: string,
  file: string,
  headers: Readonly<Record<string, string>>,
): PublicDocument {
  let loaded: PublicFile | undefined;
  return {
    path,
    load() {
      loaded ??= {
        ...fileOf(readFileSync(file), headers),
        encoded: new Map(
          KEPT.filter(({ suffix }) => existsSync(file + suffix)).map(({ coding, suffix }) => [
            coding,
            readFileSync(file + suffix),
          ]),
        ),
      };
      return loaded;
    },
  };
}

const KEPT = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

export function fileOf(
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): PublicFile {
  const body = Buffer.from(content);
  return { body, headers, etag: entityTag(content), encoded: new Map() };
}

/** The script that scripts/build.mjs has copied, else that of node_modules. */
function findScript(): string | undefined {
  const copied = packagePath('dist', 'reference', 'standalone.js');
  if (existsSync(copied)) return copied;
  try {
    const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
    const found = join(dirname(entry), 'js', 'standalone.js');
    return existsSync(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
