// The application for browsers: its page, rendered for each request with a nonce of its own, and its assets, whose
// names change with their content. It does not depend on workspaces, people or the database.

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { entityTag } from '../../model/values/entity-tag.ts';
import { packagePath } from '../../package-folder.ts';
import type { Coding } from '../answer/content-coding.ts';
import type { HostCheck } from '../request/tenant-host.ts';
import type { PublicFile } from './reference.ts';

export const APPLICATION = '/app';

/** The answer to a path of the application. */
export type ApplicationAnswer =
  | { readonly file: PublicFile }
  | { readonly page: Page }
  | { readonly location: string };

export interface Page {
  readonly text: string;
  /** Names and values in alternation. */
  readonly headers: readonly string[];
}

export interface Application {
  /** The answer to a target below `/app`, or to `/` of a browser; undefined: none. */
  find(request: IncomingMessage): ApplicationAnswer | undefined;
}

export interface Hosts {
  readonly isHostOf: HostCheck;
  /** The workspace that the host belongs to. */
  tenantOf(request: IncomingMessage): string | undefined;
}

/** The placeholder of the nonce in the page (packages/app/vite.config.ts). */
const PLACE = /__NONCE__/g;
const ASSETS = `${APPLICATION}/assets/`;
/** A segment of a path that can be the slug of a workspace (`WORKSPACE_SLUG_PATTERN`). */
const SLUG = /^[a-z0-9][a-z0-9-]*$/;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const KEPT: readonly (readonly [Coding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** The folder of the application that scripts/build.mjs has built; undefined before a build. */
export function findApplicationFolder(): string | undefined {
  const folder = packagePath('dist', 'app');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

/** The application in a folder. Its files are read with the first request for one of them. */
export function openApplication(folder: string, hosts: Hosts): Application {
  let read: Files | undefined;
  const files = () => {
    read ??= readFiles(folder);
    return read;
  };
  return {
    find(request) {
      const path = request.url?.split('?', 1)[0] ?? '';
      const tenant = hosts.tenantOf(request);
      const home = tenant === undefined ? APPLICATION : `${APPLICATION}/${tenant}`;
      if (path === '/') return { location: home };
      const file = path.startsWith(ASSETS) ? files().assets.get(path) : undefined;
      if (file !== undefined) return { file };
      const [slug = '', ...rest] = path.slice(APPLICATION.length + 1).split('/');
      if (slug === '') return home === APPLICATION ? { page: pageOf(files()) } : { location: home };
      // A path with a dot is that of a file: when the file is missing, the answer is no page.
      const isPage = SLUG.test(slug) && !(slug === 'assets' && rest.join('').includes('.'));
      return isPage && hosts.isHostOf(request, slug) ? { page: pageOf(files()) } : undefined;
    },
  };
}

/** Whether a request target is below `/app`. */
export function isOfApplication(target: string): boolean {
  return /^\/app(?:[/?]|$)/.test(target);
}

/** Whether a browser navigates to it: the answer to `/` for programs stays the same. */
export function isBrowser({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

interface Files {
  readonly index: string;
  /** The assets by path. */
  readonly assets: ReadonlyMap<string, PublicFile>;
}

function readFiles(folder: string): Files {
  const below = join(folder, 'assets');
  const names = new Set(readdirSync(below));
  const served = [...names].filter((name) => extname(name) in TYPES);
  return {
    index: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(served.map((name) => [ASSETS + name, assetOf(below, name, names)])),
  };
}

function assetOf(folder: string, name: string, names: ReadonlySet<string>): PublicFile {
  const body = readFileSync(join(folder, name));
  const encodings = KEPT.filter(([, suffix]) => names.has(name + suffix));
  return {
    body,
    headers: {
      'Content-Type': TYPES[extname(name)] as string,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Referrer-Policy': 'same-origin',
    },
    etag: entityTag(body.toString('latin1')),
    encoded: new Map(
      encodings.map(([coding, suffix]) => [coding, readFileSync(join(folder, name + suffix))]),
    ),
  };
}

function pageOf({ index }: Files): Page {
  const nonce = randomBytes(18).toString('base64');
  return {
    text: index.replaceAll(PLACE, nonce),
    headers: [
      ...['Content-Type', 'text/html; charset=utf-8'],
      ...['Cache-Control', 'no-store'],
      ...['Content-Security-Policy', policyOf(nonce)],
      ...['Cross-Origin-Opener-Policy', 'same-origin'],
      ...['Referrer-Policy', 'same-origin'],
      ...['X-Content-Type-Options', 'nosniff'],
    ],
  };
}

/** Elements that Mantine makes need the nonce; positions of virtual rows are attributes. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
