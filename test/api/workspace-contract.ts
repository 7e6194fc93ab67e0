// A key's own OpenAPI document as the check of requests and answers: bodies that the service takes must match the
// document, answers as well, and none may have a field that the document lacks.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as plain JSON
export type Document = any;

export interface ContractCheck {
  readonly client: Client;
  readonly document: Document;
  /** True when the body is as the document says; undefined when it has no such operation. */
  takes(method: string, path: string, body: unknown): boolean | undefined;
  /** Send it and hold it against the document. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

const OPTIONS = {
  strict: false,
  allErrors: true,
  logger: false,
  ownProperties: true,
  // Simplifying the code of a validator takes longer than running it as it is.
  code: { optimize: false },
} as const;

export async function checkContract(client: Client): Promise<ContractCheck> {
  const { body: document } = await client.get('/openapi.json?workspace=true');
  const ajv = new Ajv2020(OPTIONS);
  addFormats(ajv);
  ajv.addSchema({ ...withClosedRecords(document), $id: 'workspace' });

  function schemaAt(method: string, path: string, place: string) {
    const pointer = operationAt(document, method, path);
    const reference = `workspace#${pointer}/${place}/content/application~1json/schema`;
    return pointer === undefined ? undefined : ajv.getSchema(reference);
  }

  function takes(method: string, path: string, body: unknown): boolean | undefined {
    const validate = schemaAt(method, path, 'requestBody');
    return validate === undefined ? undefined : validate(body) === true;
  }

  return {
    client,
    document,
    takes,
    async send(method, path, body) {
      const answer = await client.request(method, path, body === undefined ? {} : { body });
      const about = `${method} ${path} ${JSON.stringify(body)} → ${JSON.stringify(answer.body)}`;
      if (answer.status >= 300) return answer;
      if (body !== undefined) expect(takes(method, path, body), about).toBe(true);
      const validate = schemaAt(method, path, `responses/${answer.status}`);
      expect(validate, `the document has no ${method} ${path}`).toBeDefined();
      const isValid = validate?.(answer.body);
      expect(isValid, `${about.slice(0, 2000)}\n${ajv.errorsText(validate?.errors)}`).toBe(true);
      return answer;
    },
  };
}

function operationAt(document: Document, method: string, path: string): string | undefined {
  const [bare = ''] = path.split('?');
  const found = Object.entries<object>(document.paths).find(([pattern, item]) => {
    const isPath = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare);
    return isPath && method.toLowerCase() in item;
  });
  return found && `/paths/${found[0].replaceAll('/', '~1')}/${method.toLowerCase()}`;
}

/** Answers may gain properties; here that would hide a field which the document does not have. */
function withClosedRecords(document: Document): Document {
  const { schemas } = document.components;
  const closed = Object.entries<Document>(schemas).map(([name, schema]) => {
    if (!/^(?:Record|Fields)Of/.test(name)) return [name, schema];
    const { custom_fields: custom } = schema.properties;
    const properties = { ...schema.properties };
    if (custom !== undefined) properties.custom_fields = { ...custom, additionalProperties: false };
    return [name, { ...schema, properties, additionalProperties: false }];
  });
  const components = { ...document.components, schemas: Object.fromEntries(closed) };
  return { ...document, components };
}
