// The beginning of the answers of webhook receivers, which may repeat what was sent to them.

import { sql } from '../../../sql/sql.ts';
import { deliveriesOf } from '../../../sql/write/erase-sql.ts';
import { emptiedPlace } from './record-place.ts';

export const deliveryPlace = emptiedPlace(
  'deliveries',
  ({ model: { schema }, object: { table }, id }) => deliveriesOf(schema, [{ table, id }]),
  sql`answer = null`,
);
