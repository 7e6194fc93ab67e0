// Agents as the tests use them: the official clients of both generations, and messages that are sent as they are.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CLOSING, OPENING } from '../../packages/mcp/src/answer-text.ts';
import { expectNoCanary } from '../access/canary.ts';
import { call, type Request } from '../http-client.ts';
import { GATED_ACME } from '../world.ts';

/** The workspace of the tests: with a gate, and deals that have long texts. */
export const AGENT_ACME = {
  ...GATED_ACME,
  objects: {
    ...GATED_ACME.objects,
    deals: {
      ...GATED_ACME.objects.deals,
      fields: { ...GATED_ACME.objects.deals.fields, story: { type: 'long_text' } },
    },
  },
};

export type Generation = '2026' | '2025';

export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
}

export interface Agent {
  /** The version of the protocol that it has agreed on. */
  readonly version: string | undefined;
  readonly instructions: string | undefined;
  tools(): Promise<readonly { readonly name: string; readonly annotations?: object | undefined }[]>;
  use(tool: string, sent?: Readonly<Record<string, unknown>>): Promise<ToolText>;
  close(): Promise<void>;
}

export interface Place {
  readonly port: number;
  readonly secret: string;
}

const INFO = { name: 'test', version: '1' };

/** The client of 2026 speaks the protocol of 2025 unless it is told to negotiate. */
export function openAgent(place: Place, generation: Generation): Promise<Agent> {
  return generation === '2026' ? openNew(place) : openFormer(place);
}

const urlOf = ({ port }: Place) => new URL(`http://127.0.0.1:${port}/mcp`);
const initOf = ({ secret }: Place) => ({ headers: { authorization: `Bearer ${secret}` } });

async function openNew(place: Place): Promise<Agent> {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(urlOf(place), { requestInit: initOf(place) }),
  );
  return {
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    use: async (name, sent = {}) =>
      textOf(place, await client.callTool({ name, arguments: { ...sent } })),
    close: () => client.close(),
  };
}

async function openFormer(place: Place): Promise<Agent> {
  const client = new FormerClient(INFO);
  const transport = new FormerTransport(urlOf(place), { requestInit: initOf(place) });
  // Its declarations do not know `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    version: transport.protocolVersion,
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    use: async (name, sent = {}) =>
      textOf(place, await client.callTool({ name, arguments: { ...sent } })),
    close: () => client.close(),
  };
}

/** Answers are one text. */
function textOf({ secret }: Place, result: object): ToolText {
  const { content, isError } = result as {
    readonly content: readonly { readonly type: string; readonly text: string }[];
    readonly isError?: boolean;
  };
  const [only, another] = content;
  if (only?.type !== 'text' || another !== undefined) throw new Error('not one text');
  if ('structuredContent' in result) throw new Error('not text only');
  expectNoCanary(secret, only.text);
  return { text: only.text, isError: isError === true };
}

/** Send a message as it is. */
export function post(port: number, body: unknown, request: Partial<Request> = {}) {
  return call(port, '/mcp', { method: 'POST', body, ...request });
}

/** Call a tool with one request, as a program without a client does. */
export async function useTool(
  { port, secret }: Place,
  tool: string,
  sent: unknown,
): Promise<ToolText> {
  const params = { name: tool, arguments: sent };
  const answer = await post(
    port,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { key: secret },
  );
  if (answer.json?.result === undefined) throw new Error(`${answer.status} ${answer.text}`);
  return textOf({ port, secret }, answer.json.result);
}

/** The lines of content in an answer. */
export function dataIn(text: string): readonly string[] {
  const lines = text.split('\n');
  const [start, end] = [lines.indexOf(OPENING), lines.lastIndexOf(CLOSING)];
  return start < 0 ? [] : lines.slice(start + 1, end);
}

/** The rows of a table: the first line has the columns. */
export function tableIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  const [columns = [], ...rows] = dataIn(text).map((line) => JSON.parse(line) as unknown[]);
  return rows.map((row) =>
    Object.fromEntries(row.map((value, index) => [String(columns[index]), value])),
  );
}

/** The names and values of one record. */
export function recordIn(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    dataIn(text).map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), JSON.parse(line.slice(at + 2))];
    }),
  );
}

/** The cursor of an answer that has more. */
export function cursorIn(text: string): string | undefined {
  const [, printed] = /^(?:more: call again with|next:) cursor ("[^"]*")/m.exec(text) ?? [];
  return printed === undefined ? undefined : (JSON.parse(printed) as string);
}
