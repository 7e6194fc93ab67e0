// `call`: any operation of the interface as a person, without a service and without a key. The request passes the same
// checks as one over HTTP; openapi.json describes the operations.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { pino } from 'pino';
import { ROUTES } from '../../api/index.ts';
import { findWorkspace, requireModel } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import type { Invocation, InvokedAnswer, InvokedStream } from '../../http/route/invoke.ts';
import type { Authenticated, Route, SseConnection } from '../../http/route/route.ts';
import { requireMember } from '../../import/importer.ts';
import { callerOf, SCOPES } from '../../model/rights/access.ts';
import { nearestName } from '../../model/text/nearest-name.ts';
import { connect } from '../connect.ts';
import { parseJson } from '../json-option.ts';
import { collect } from '../repeated-option.ts';
import { remark, tell } from '../say.ts';
import { assembleService } from '../service/assemble.ts';
import { table } from '../table.ts';
import { SUMMARIES } from './summaries.ts';

interface CallArguments {
  readonly workspace: string;
  readonly param: readonly string[];
  readonly body?: string;
  readonly type?: string;
  readonly header: readonly string[];
  readonly as?: string;
  readonly table?: string;
  readonly all: boolean;
}

const EXPLANATION = `
Operations and their parameters are those of the OpenAPI document; "call --list" prints their ids. The answer is
printed as JSON: lists as one item a line. Files and events are printed as they arrive.

Examples:
  $ workspace-records call listAudit -w demo --param object_type=deals --table at,user.email,action
  $ workspace-records call queryRecords -w demo --param object_type=deals --all \\
      --body '{"where":{"field":"close_value","op":"gte","value":10000},"fields":["name","close_value"]}'
  $ workspace-records call createRecord -w demo --param object_type=companies --body @company.json
`;

export function addCallCommand(program: Command): void {
  program
    .command('call')
    .description(SUMMARIES.call)
    .argument('[operation]', 'the id of the operation, such as listRecords')
    .option('--list', 'print the ids of all operations')
    .option('-w, --workspace <slug>', 'the workspace')
    .option(
      '-p, --param <name=value>',
      'a parameter of the path or the query; repeated',
      collect,
      [],
    )
    .option('--body <json>', 'the body, @FILE or - for the standard input')
    .option('--type <media-type>', 'media type of a body that is a file, such as text/csv')
    .option('--header <name: value>', 'a header, such as If-Match; repeated', collect, [])
    .option('--as <email>', 'the person (default: the first administrator)')
    .option('--table <keys>', 'print these properties of the items as a table, joined by commas')
    .option('--all', 'read all pages of a list', false)
    .addHelpText('after', EXPLANATION)
    .action(callOperation);
}

async function callOperation(
  name: string | undefined,
  options: CallArguments & { readonly list?: true },
  command: Command,
): Promise<void> {
  if (options.list) return tell(listOfOperations());
  if (name === undefined || options.workspace === undefined) {
    return command.error('error: name an operation and --workspace', { exitCode: 2 });
  }
  const route = requireRoute(name);
  const invocation = invocationOf(route, options);
  const connected = await connect({ purpose: 'command' });
  try {
    const server = await assembleService({ ...connected, logger: pino({ level: 'silent' }) });
    const caller = () => personOf(connected, options);
    await caller();
    const send = (given: Invocation) => server.invoke(route, { ...given, caller });
    await printPages(send, invocation, options);
    await server.close();
  } finally {
    await connected.close();
  }
}

function listOfOperations(): string {
  return table(
    ['operation', 'request', 'summary'],
    ROUTES.map(({ operationId, method, path, summary }) => [
      ...[operationId, `${method} ${path}`, summary],
    ]),
  );
}

type AnyRoute = Route<never>;

function requireRoute(name: string): AnyRoute {
  const route = ROUTES.find(({ operationId }) => operationId === name);
  if (route !== undefined) return route as unknown as AnyRoute;
  const near = nearestName(
    name,
    ROUTES.map(({ operationId }) => operationId),
  );
  const hint = near === undefined ? '"call --list" prints all' : `did you mean ${near}?`;
  throw operatorError(`There is no operation "${name}"; ${hint}`);
}

/** The rights of the moment, as for each request. */
async function personOf(
  { db }: Pick<Awaited<ReturnType<typeof connect>>, 'db'>,
  { workspace: slug, as: email }: CallArguments,
): Promise<Authenticated> {
  const workspace = await findWorkspace(db, slug);
  if (workspace === undefined) {
    throw operatorError(`There is no workspace "${slug}"; "workspaces list" shows all.`);
  }
  const model = await requireModel(db, workspace);
  const member = await requireMember(db, model, email);
  if (!member.active) throw operatorError(`${member.email} is not active.`);
  return { model, caller: callerOf(model, member, { kind: 'bulk', scopes: [...SCOPES] }) };
}

function invocationOf(route: AnyRoute, options: CallArguments): Invocation {
  const parameters = options.param.map((text) => splitAt(text, '=', '--param takes name=value'));
  const isInPath = ([name]: [string, string]) => route.path.includes(`{${name}}`);
  const headers = options.header.map((text) => splitAt(text, ':', '--header takes name: value'));
  if (headers.some(([name]) => name.toLowerCase() === 'idempotency-key')) {
    throw operatorError(
      'An Idempotency-Key belongs to an API key or a session; a command has none.',
    );
  }
  const { body, type } = bodyOf(options);
  return {
    params: Object.fromEntries(parameters.filter(isInPath)),
    query: new URLSearchParams(parameters.filter((one) => !isInPath(one))).toString(),
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value.trim()])),
    },
    ...(body === undefined ? {} : { body }),
    requestId: `cmd_${randomUUID()}`,
  };
}

function splitAt(text: string, sign: string, problem: string): [string, string] {
  const at = text.indexOf(sign);
  if (at < 1) throw operatorError(`${problem}, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function bodyOf({ body, type }: CallArguments): { body?: unknown; type?: string } {
  if (body === undefined) return {};
  const file = body === '-' ? 0 : body.startsWith('@') ? body.slice(1) : undefined;
  const bytes = file === undefined ? Buffer.from(body) : readFileSync(file);
  if (type !== undefined) return { body: bytes, type };
  if (parseJson(bytes.toString()) === undefined) {
    throw operatorError('The body is not valid JSON; --type names the media type of a file.');
  }
  return { body: bytes };
}

type Answer = InvokedAnswer | InvokedStream;

interface Page {
  readonly data?: unknown;
  readonly pagination?: { readonly next_cursor: string | null };
}

/** Prints a page, and with `--all` the following pages too: the cursor goes where the operation takes it. */
async function printPages(
  send: (invocation: Invocation) => Promise<Answer>,
  first: Invocation,
  options: CallArguments,
): Promise<void> {
  let invocation = first;
  for (let isFirst = true; ; isFirst = false) {
    const answer = await send(invocation);
    if ('start' in answer) return printStream(answer);
    const page = requireSuccess(answer) as Page;
    tell(textOf(page, options, isFirst));
    const next = page?.pagination?.next_cursor;
    if (next === undefined || next === null) return;
    if (!options.all) return remark('There is more; --all reads all pages.\n');
    invocation = withCursor(invocation, next);
  }
}

function requireSuccess({ status, body }: InvokedAnswer): unknown {
  if (status < 400) return body;
  const { error } = body as { readonly error: { readonly message: string } };
  remark(`${JSON.stringify(error)}\n`);
  throw operatorError(`${status}: ${error.message}`);
}

function withCursor(invocation: Invocation, cursor: string): Invocation {
  const { body, query = '' } = invocation;
  if (Buffer.isBuffer(body)) {
    const value = parseJson(body.toString()) as object;
    return { ...invocation, body: Buffer.from(JSON.stringify({ ...value, cursor })) };
  }
  const search = new URLSearchParams(String(query));
  search.set('cursor', cursor);
  return { ...invocation, query: search.toString() };
}

function textOf(page: Page, { table: keys }: CallArguments, isFirst: boolean): string {
  const { data } = page ?? {};
  if (typeof page === 'string') return page;
  const items = Array.isArray(data) ? data : [data ?? page];
  if (keys === undefined) return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const columns = keys.split(',').map((key) => key.trim());
  const rows = items.map((item) => columns.map((column) => valueAt(item, column)));
  if (isFirst && items.length > 0) {
    const absent = columns.filter((_, at) => rows.every((row) => row[at] === undefined));
    if (absent.length > 0)
      remark(`No item has ${absent.join(', ')}; without --table all is printed.\n`);
  }
  const text = table(
    columns,
    rows.map((row) => row.map(cellOf)),
  );
  return isFirst ? text : text.slice(text.indexOf('\n') + 1);
}

/** The property behind a path such as `user.email`; fields of records need no `fields.` before them. */
function valueAt(item: unknown, path: string): unknown {
  const [value, ofFields] = [item, (item as { fields?: unknown } | null)?.fields].map((start) =>
    path
      .split('.')
      .reduce<unknown>(
        (one, key) => (one === null ? null : (one as Record<string, unknown> | undefined)?.[key]),
        start,
      ),
  );
  return value === undefined ? ofFields : value;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A file or events, until their end. */
function printStream({ start }: InvokedStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOpen = true;
    const handlers: (() => void)[] = [];
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      for (const handler of handlers) handler();
    };
    const connection: SseConnection = {
      isOpen: () => isOpen,
      hasRoom: () => process.stdout.writableLength < 1 << 20,
      write: (text) => void process.stdout.write(text),
      drained: () => new Promise((drained) => process.stdout.write('', () => drained())),
      end() {
        close();
        resolve();
      },
      fail() {
        close();
        reject(operatorError('The answer broke off.'));
      },
      onClose: (handler) => void handlers.push(handler),
    };
    start(connection);
  });
}
