// The documents of the project as a site, from files that the build has made (scripts/build-docs.mjs). They need no key,
// and load nothing from another host.

import { existsSync, readdirSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { packagePath } from '../../package-folder.ts';
import { keptFile, type PublicDocument } from './reference.ts';

const SITE = '/docs';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '.html': {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  },
  '.md': { 'Content-Type': 'text/markdown; charset=utf-8' },
  '.txt': { 'Content-Type': 'text/plain; charset=utf-8' },
  '.css': { 'Content-Type': 'text/css; charset=utf-8' },
  '.js': { 'Content-Type': 'text/javascript; charset=utf-8' },
  '.json': { 'Content-Type': 'application/json; charset=utf-8' },
  '.png': { 'Content-Type': 'image/png' },
};

/** `/docs`, the pages below it and `/llms.txt`; none when they were not built. Files are read when they are asked for. */
export function documentationDocuments(folder = findFolder()): readonly PublicDocument[] {
  if (folder === undefined) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.flatMap((name) => {
    const headers = HEADERS[extname(name)];
    if (headers === undefined) return [];
    const file = join(folder, name);
    const path = pathOf(name.replaceAll(sep, '/'));
    return [keptFile(path, file, { ...headers, 'Cache-Control': 'no-cache' })];
  });
}

/** `guide/index.html` is `/docs/guide`. */
function pathOf(name: string): string {
  if (name === 'llms.txt') return '/llms.txt';
  return `${SITE}/${name}`.replace(/(?:\/index)?\.html$/, '');
}

/** The folder of the site that scripts/build-docs.mjs has built; undefined before a build. */
function findFolder(): string | undefined {
  const folder = packagePath('dist', 'docs');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}
