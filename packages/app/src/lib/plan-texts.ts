// The English texts of plans and workflows, which the first page does without.

import { plans } from './messages/en/plans.ts';
import { workflows } from './messages/en/workflows.ts';
import { addTexts } from './messages/index.ts';

addTexts({ ...plans, ...workflows });
