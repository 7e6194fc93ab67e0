// A client over real sockets that checks everything: every answer is validated against the OpenAPI document the
// service itself gives, its error code against the route's list, its bytes against the canaries of other workspaces.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { expect } from 'vitest';
import { expectNoCanary } from './access/canary.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly body: any;
}

/** The public part of a refusal: status, code and parameter. */
export function refusalOf({ status, body }: Pick<Answer, 'status' | 'body'>): readonly unknown[] {
  return [status, body.error?.code, body.error?.param];
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Client {
  /** Of its key, or the token of its session. */
  readonly secret: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  delete(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

interface Operation {
  readonly pattern: RegExp;
  readonly method: string;
  readonly pointer: string;
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: object }>
  >;
  /** It takes no authentication. */
  readonly open: boolean;
}

interface DocumentedOperation extends Pick<Operation, 'responses'> {
  readonly security: readonly unknown[];
  readonly 'x-session'?: string;
}

interface Contract {
  readonly ajv: Ajv2020;
  readonly operations: readonly Operation[];
}

/** The OpenAPI document of the service at a port. */
const contracts = new Map<number, Promise<Contract>>();
/** Validators of a document, which many servers have in common. */
const contractsOfTexts = new Map<string, Contract>();

/** Forget which service is at which port: another one may be there. */
export function forgetServers(): void {
  contracts.clear();
}

interface ClientOptions {
  readonly port: number;
  readonly secret: string;
  /** Sent in place of the key: `cookie` and what else a browser says. */
  readonly credential?: Readonly<Record<string, string>>;
}

/** A client with one key or session, which is never sent the canary of another workspace. */
export function openClient(options: ClientOptions): Client {
  const { port, secret } = options;
  const credential = options.credential ?? { authorization: `Bearer ${secret}` };
  const origin = `http://127.0.0.1:${port}`;
  const contract = contracts.get(port) ?? loadContract(origin);
  contracts.set(port, contract);

  async function request(
    method: string,
    path: string,
    { headers = {}, body }: RequestOptions = {},
  ): Promise<Answer> {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...credential,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    expectNoCanary(secret, `${JSON.stringify([...response.headers])}\n${text}`);
    const asked = { method, path, answer };
    const { ajv, operations } = await contract;
    const operation = operationOf(operations, asked);
    checkHeaders(answer, operation?.open === true);
    checkContract(ajv, operation, asked);
    return answer;
  }

  return {
    secret,
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => request('POST', path, { body, headers }),
    put: (path, body, headers = {}) => request('PUT', path, { body, headers }),
    patch: (path, body, headers = {}) => request('PATCH', path, { body, headers }),
    delete: (path, headers = {}) => request('DELETE', path, { headers }),
  };
}

async function loadContract(origin: string): Promise<Contract> {
  const response = await fetch(`${origin}/v1/openapi.json`);
  const text = await response.text();
  const contract = contractsOfTexts.get(text) ?? compileContract(text);
  contractsOfTexts.set(text, contract);
  return contract;
}

function compileContract(text: string): Contract {
  const document = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  };
  // Simplifying the code of a validator takes longer than running it as it is.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: 'openapi' });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, { responses, security, 'x-session': session }]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
        responses,
        open: security.length === 0 && session === undefined,
      })),
  );
  return { ajv, operations };
}

function checkHeaders({ status, headers, body }: Answer, isOpen: boolean): void {
  expect(headers.get('x-request-id')).toMatch(/^\S{8,}$/);
  if (status !== 304) expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (status !== 304) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  // Requests of unknown callers are not counted.
  const isCounted =
    status !== 401 && !isOpen && !(status === 400 && body.error.param === 'X-Workspace');
  if (isCounted) expect(headers.get('ratelimit-limit')).toMatch(/^\d+$/);
  if (status >= 400) expect(body.error.request_id).toBe(headers.get('x-request-id'));
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly answer: Answer;
}

function operationOf(
  operations: readonly Operation[],
  { method, path }: Asked,
): Operation | undefined {
  const [bare = ''] = path.split('?');
  return operations.find((one) => one.method === method && one.pattern.test(bare));
}

function checkContract(
  ajv: Ajv2020,
  operation: Operation | undefined,
  { method, path, answer }: Asked,
): void {
  if (operation === undefined) {
    expect([401, 404, 405], `${method} ${path}`).toContain(answer.status);
    return;
  }
  const about = `${method} ${path} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 400)}`;
  expect(Object.keys(operation.responses), about).toContain(String(answer.status));
  if (answer.body === undefined) return;
  const shared = operation.responses[String(answer.status)]?.$ref?.slice(1);
  const reference = `openapi#${shared ?? `${operation.pointer}/responses/${answer.status}`}`;
  const validate = ajv.getSchema(`${reference}/content/application~1json/schema`);
  expect(validate, `no schema for ${about}`).toBeDefined();
  const valid = validate?.(answer.body);
  expect(valid, `${about}\n${ajv.errorsText(validate?.errors)}`).toBe(true);
}
