// The English texts of agents and other programs, which the first page does without.

import { agents } from './messages/en/agents.ts';
import { addTexts } from './messages/index.ts';

addTexts(agents);
