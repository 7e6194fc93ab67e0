// `search`: records of any object by name, email, telephone number or public id.

import Type from 'typebox';
import { printAnswer, printRow } from '../answer-text.ts';
import { closed } from '../arguments.ts';
import { defineTool, READS } from '../tool.ts';

const MOST_OF_VALUE = 120;

export const search = defineTool({
  name: 'search',
  description:
    'Find records of all object types by name, email, phone or public id, best first. For conditions use query.',
  scopes: ['records:read'],
  annotations: READS,
  names: { q: 'text' },
  inputSchema: Type.Object(
    {
      text: Type.String({ minLength: 2, maxLength: 200 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
    },
    closed,
  ),
  async run({ text, limit = 10 }, call) {
    const { data } = await call('search', { query: { q: text, limit } });
    return printAnswer({
      head: [`found: ${data.length} [object_type, id, name, kind]`],
      data: data.map(({ object_type, id, display, subtitle }) =>
        printRow([object_type, id, display, subtitle], MOST_OF_VALUE),
      ),
    });
  },
});
