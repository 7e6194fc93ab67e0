// The English texts of two-step sign-in, which the first page does without.

import { factor } from './messages/en/factor.ts';
import { addTexts } from './messages/index.ts';

addTexts(factor);
