// Request bodies: JSON only, read strictly (D10). The transport delivers the bytes, the schema of
// the route validates the value.

import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import { type JsonOutcome, parseJsonText } from '../../model/text/json-text.ts';
import { ownTurn } from '../route/long-steps.ts';
import type { ArrivingFile, FileContract, SentFile } from '../route/route.ts';
import type { Call } from './call.ts';

export interface JsonBody {
  readonly value: unknown;
  /** The received bytes, for the fingerprint of an idempotent request. */
  readonly raw: Buffer;
  /** The media type of a file: the same bytes as another type are another request. */
  readonly mediaType?: string | undefined;
}

export interface BodyRules {
  /** Bytes. */
  readonly limit: number;
  /** Keys and objects. */
  readonly nodes: number;
  /** True when an empty body means `{}`. */
  readonly optional: boolean;
}

const MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/**
 * The body of a call. Errors: `unsupported_media_type`, `payload_too_large`, `invalid_json`, and
 * `validation_failed` when it holds too much; undefined when the client is gone.
 */
export async function requireJsonBody(
  { headers, transport }: Pick<Call, 'headers' | 'transport'>,
  rules: BodyRules,
): Promise<JsonBody | undefined> {
  if (transport.isRepeated('content-type')) throw new ApiError('unsupported_media_type');
  // Clients send a media type with an empty body too (`curl -d ''`, axios): it is ignored.
  const wrongType = findTypeProblem(headers);
  const raw = await transport.readBody(
    wrongType === undefined
      ? { limit: rules.limit, refuse: () => tooLarge(rules.limit) }
      : { limit: 0, refuse: () => wrongType },
  );
  if (raw === undefined) return undefined;
  if (raw.length >= LONG_BODY) await ownTurn();
  const value = raw.length === 0 ? emptyBody(rules) : parseJson(raw, rules.nodes);
  await serveOthers(raw);
  return { value, raw };
}

/** Bytes of which each step may take some milliseconds. */
const LONG_BODY = 256 * 1024;

/** Between two steps of a long body other requests are served, also when many bodies have come at once. */
export function serveOthers({ length }: Buffer): Promise<unknown> | undefined {
  return length < LONG_BODY ? undefined : ownTurn();
}

/**
 * A body that is a file, with the media type it is sent as. Errors: `unsupported_media_type`,
 * `payload_too_large`; undefined when the client is gone.
 */
export async function requireFileBody(
  { headers, transport }: Pick<Call, 'headers' | 'transport'>,
  { types, limit }: FileContract,
): Promise<(JsonBody & { readonly value: SentFile }) | undefined> {
  const sent = readMediaType(headers['content-type'] ?? '');
  const type = types.find((one) => one === sent);
  const isEncoded = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  if (type === undefined || isEncoded || transport.isRepeated('content-type')) {
    const message = say('file_media_type', { types: types.join(' or ') });
    throw new ApiError('unsupported_media_type', { message });
  }
  const bytes = await transport.readBody({ limit, refuse: () => tooLarge(limit) });
  return bytes && { value: { type, bytes }, raw: bytes, mediaType: type };
}

/**
 * A body that is a file of any media type, read by the handler as it arrives. Errors: `unsupported_media_type`,
 * and those of `receive`.
 */
export function arrivingBody({
  headers,
  transport,
}: Pick<Call, 'headers' | 'transport'>): JsonBody & { readonly value: ArrivingFile } {
  const [sent = ''] = (headers['content-type'] || ANY_TYPE).toLowerCase().split(';');
  const type = sent.trim();
  const isEncoded = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  const isLong = type.length > LIMITS.mediaTypeLength;
  if (isEncoded || isLong || !ONE_TYPE.test(type) || transport.isRepeated('content-type')) {
    throw new ApiError('unsupported_media_type', { message: say('file_encoded') });
  }
  const length = headers['content-length'];
  const value: ArrivingFile = {
    type,
    announced: length === undefined ? undefined : Number(length),
    receive: (limit, store) =>
      transport.receiveBody({ limit, refuse: () => tooLarge(limit) }, store),
  };
  return { value, raw: NOTHING, mediaType: type };
}

const NOTHING = Buffer.alloc(0);
const ANY_TYPE = 'application/octet-stream';
/** RFC 6838 §4.2. */
const ONE_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;

/** The parameters of a file that change nothing. RFC 4180 has `header`. */
const PARAMETERS: ReadonlySet<string> = new Set(['charset=utf-8', 'header=present']);

/** The media type in lower case; undefined when its parameters say anything else. */
function readMediaType(sent: string): string | undefined {
  const [type, ...parameters] = sent.toLowerCase().split(';');
  const isKnown = parameters.every((one) => PARAMETERS.has(one.replaceAll(/[ \t"]/g, '')));
  return isKnown ? type?.trim() : undefined;
}

/**
 * Strict JSON: UTF-8 without byte-order mark, one value, 32 levels, so many keys and values
 * (D165).
 */
export function parseJson(raw: Buffer, nodes: number): unknown {
  if (!isUtf8(raw)) throw invalidJson(say('body_not_utf8'));
  if (raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf) {
    throw invalidJson(say('body_byte_order_mark'));
  }
  const outcome = parseText(raw.toString('utf8'), nodes);
  if ('value' in outcome) return outcome.value;
  if (outcome.beyond === 'depth') {
    throw invalidJson(say('json_too_deep', { most: LIMITS.jsonDepth }));
  }
  const message = say('json_too_large', { nodes, values: LIMITS.jsonValues });
  throw new ApiError('validation_failed', { message });
}

/** The refusal of a body of more bytes than this. */
export function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', {
    message: say('body_too_large', { most: limit }),
    details: { limit_bytes: limit },
  });
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
function findTypeProblem(headers: Call['headers']): ApiError | undefined {
  const type = headers['content-type'];
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new ApiError('unsupported_media_type', { message: say('body_encoded') });
  }
  if (type === 'application/json' || (type !== undefined && MEDIA_TYPE.test(type)))
    return undefined;
  return new ApiError('unsupported_media_type');
}

function emptyBody({ optional }: BodyRules): unknown {
  if (optional) return {};
  throw invalidJson(say('body_missing'));
}

function invalidJson(message: Message): ApiError {
  return new ApiError('invalid_json', { message });
}
