// The texts of all messages of the service in English, by id, with the names of inserted values in braces. The
// messages of codes are in ERROR_CATALOGUE, with the code as their id.

import { definitionMessages } from './definition-messages.ts';
import { fileMessages } from './file-messages.ts';
import { jobMessages } from './job-messages.ts';
import { peopleMessages } from './people-messages.ts';
import { queryMessages } from './query-messages.ts';
import { recordMessages } from './record-messages.ts';
import { requestMessages } from './request-messages.ts';
import { valueMessages } from './value-messages.ts';
import { webhookMessages } from './webhook-messages.ts';

export const MESSAGES = {
  ...definitionMessages,
  ...fileMessages,
  ...jobMessages,
  ...peopleMessages,
  ...queryMessages,
  ...recordMessages,
  ...requestMessages,
  ...valueMessages,
  ...webhookMessages,
} as const;
