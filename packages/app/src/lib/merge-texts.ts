// The English texts of merging, which the first page does without.

import { merge } from './messages/en/merge.ts';
import { addTexts } from './messages/index.ts';

addTexts(merge);
