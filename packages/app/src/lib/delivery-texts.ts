// The English texts of deliveries, which the first page does without.

import { deliveries } from './messages/en/deliveries.ts';
import { addTexts } from './messages/index.ts';

addTexts(deliveries);
