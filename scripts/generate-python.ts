// The methods of the Python client, made from the same document as docs/openapi.json and so from the routes.

import { readFileSync } from 'node:fs';
import { ROUTES } from '../src/api/index.ts';
import type { Route } from '../src/http/route/route.ts';
import { packageVersion } from '../src/package-folder.ts';

type AnyRoute = Pick<Route<never>, Exclude<keyof Route<never>, 'handle'>>;

const VERSION = /(?<=^__version__ = ").*(?="$)/m;
const MARKS = /(?<=# <operations>\n)[\s\S]*?(?= {4}# <\/operations>)/;
/** Words of Python that cannot be names. */
const RESERVED: ReadonlySet<string> = new Set([
  'from',
  'in',
  'is',
  'not',
  'or',
  'and',
  'class',
  'import',
]);

/** The text of packages/python/workspace_records.py, with its version and with the methods between its marks. */
export function pythonClient(path: string): string {
  const methods = ROUTES.filter(isCallable).map(methodOf).join('\n');
  return readFileSync(path, 'utf8')
    .replace(VERSION, packageVersion())
    .replace(MARKS, () => `${methods}\n`);
}

/** Streams have no end, and a sign-in sends browsers elsewhere. */
function isCallable({ events, status, operator }: AnyRoute): boolean {
  return events !== true && status !== 303 && operator !== true;
}

function methodOf(route: AnyRoute): string {
  const { method, path, body, takesFile, idempotent, preconditions, summary } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const query = Object.keys((route.query as { properties?: object }).properties ?? {});
  const hasBody = body !== undefined || takesFile !== undefined;
  const isOptional = route.bodyOptional === true;
  const named = [
    ...(takesFile === undefined ? [] : ['content_type']),
    ...query.map((name) => `${nameOf(name)}=None`),
    ...(route.filters === true ? ['filters=None'] : []),
    ...(preconditions === true ? ['if_match=None'] : []),
    ...(idempotent === true ? ['idempotency_key=None'] : []),
  ];
  const parameters = [
    'self',
    ...inPath,
    ...(hasBody ? [isOptional ? 'body=None' : 'body'] : []),
    ...(named.length === 0 ? [] : ['*', ...named]),
  ];
  const sent = [
    ...query.map((name) => `"${name}": ${nameOf(name)}`),
    ...(route.filters === true ? ['"filters": filters'] : []),
  ];
  const isOnce = method === 'POST' && idempotent !== true && route.scope !== 'records:read';
  const args = [
    `"${method}"`,
    `${inPath.length === 0 ? '' : 'f'}"${path.replaceAll(/\{(\w+)\}/g, '{_segment($1)}')}"`,
    ...(sent.length === 0 ? [] : [`query={${sent.join(', ')}}`]),
    ...(hasBody ? [isOptional ? 'body=body or {}' : 'body=body'] : []),
    ...(takesFile === undefined ? [] : ['content_type=content_type']),
    ...(preconditions === true ? ['if_match=if_match'] : []),
    ...(idempotent === true ? ['idempotency_key=idempotency_key or True'] : []),
    ...(isOnce || idempotent === true ? [] : ['safe=True']),
    ...(query.includes('wait') ? ['held=int(wait or 0)'] : []),
    ...(route.givesFile === undefined ? [] : ['as_bytes=True']),
  ];
  return `    def ${snake(route.operationId)}(${parameters.join(', ')}):
        """${summary}: ${method} ${path}"""
        return self.request(${args.join(', ')})
`;
}

function nameOf(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

function snake(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
