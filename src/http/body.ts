// Request bodies: read up to a limit, JSON only, strictly (D10). What the JSON must look like is the
// route's schema; a body of a GET or DELETE is never read here.

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type JsonOutcome, parseJsonText } from '../model/json-text.ts';

export interface JsonBody {
  readonly value: unknown;
  /** As received, for the fingerprint of an idempotent request. */
  readonly raw: Buffer;
}

export interface BodyRules {
  /** Bytes. */
  readonly limit: number;
  /** Keys and objects. */
  readonly nodes: number;
  /** True when an empty body stands for `{}`. */
  readonly optional: boolean;
  /** Called before the first byte is read: the place to answer `Expect: 100-continue`. */
  readonly onRead?: () => void;
}

const NOTHING = Buffer.alloc(0);
const MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/**
 * Read a body. Errors: `unsupported_media_type`, `payload_too_large`, `invalid_json`, and
 * `validation_failed` when it holds too much; undefined when the client is gone.
 */
export async function readJsonBody(
  request: IncomingMessage,
  rules: BodyRules,
): Promise<JsonBody | undefined> {
  // Clients name a type of their own where they send nothing (`curl -d ''`, axios): it says nothing.
  const wrongType = findTypeProblem(request);
  const [limit, refusal] = wrongType ? [0, wrongType] : [rules.limit, tooLarge(rules.limit)];
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw refusal;
  const { onRead } = rules;
  const raw = hasBody(request) ? await readBytes(request, { limit, refusal, onRead }) : NOTHING;
  if (raw === undefined) return undefined;
  return { value: raw.length === 0 ? emptyBody(rules) : parseJson(raw, rules.nodes), raw };
}

/**
 * Read a body and keep nothing of it. Errors: `payload_too_large`; undefined when the client is gone.
 */
export async function skipBody(
  request: IncomingMessage,
  { limit, onRead }: Pick<BodyRules, 'limit' | 'onRead'>,
): Promise<true | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return;
      request.pause();
      reject(tooLarge(limit));
    });
    request.on('end', () => resolve(true));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    onRead?.();
  });
}

/** True when the request announces a body of at least one byte. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Strict JSON: UTF-8 without byte-order mark, one value, 32 levels, so many keys and values (D165). */
export function parseJson(raw: Buffer, nodes: number): unknown {
  if (!isUtf8(raw)) throw invalidJson('The body is not UTF-8.');
  if (raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf) {
    throw invalidJson('The body starts with a byte-order mark.');
  }
  const outcome = parseText(raw.toString('utf8'), nodes);
  if ('value' in outcome) return outcome.value;
  if (outcome.beyond === 'depth') {
    throw invalidJson(`JSON may nest ${LIMITS.jsonDepth} levels deep.`);
  }
  const message = `A body has at most ${nodes} keys and objects, and ${LIMITS.jsonValues} values.`;
  throw new ApiError('validation_failed', { message });
}

function parseText(text: string, nodes: number): JsonOutcome {
  const { jsonDepth: depth, jsonValues: values } = LIMITS;
  try {
    return parseJsonText(text, { depth, nodes, values });
  } catch {
    throw new ApiError('invalid_json');
  }
}

/** Why a body of at least one byte cannot be read. */
function findTypeProblem({ headers }: IncomingMessage): ApiError | undefined {
  const type = headers['content-type'];
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const message = 'Send the body without Content-Encoding.';
    return new ApiError('unsupported_media_type', { message });
  }
  if (type === 'application/json' || (type !== undefined && MEDIA_TYPE.test(type)))
    return undefined;
  return new ApiError('unsupported_media_type');
}

function emptyBody({ optional }: BodyRules): unknown {
  if (optional) return {};
  throw invalidJson('The request needs a JSON body.');
}

interface ReadRules {
  readonly limit: number;
  /** For a body that is longer. */
  readonly refusal: ApiError;
  readonly onRead: BodyRules['onRead'];
}

function readBytes(
  request: IncomingMessage,
  { limit, refusal, onRead }: ReadRules,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.pause();
        reject(refusal);
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    onRead?.();
  });
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', {
    message: `The request body is larger than ${limit} bytes.`,
    details: { limit_bytes: limit },
  });
}

function invalidJson(message: string): ApiError {
  return new ApiError('invalid_json', { message });
}
