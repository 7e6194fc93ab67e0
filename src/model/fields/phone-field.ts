// `phone`: a phone number as people write it.

import { defineTextType } from './text-values.ts';

export const phoneField = defineTextType({
  name: 'phone',
  defaultMaxLength: 50,
  search: { kind: 'phone', byDefault: true },
  check(phone) {
    const isNumber = /^[+\d][\d\s().,;/#*x-]*$/iu.test(phone);
    return isNumber && phone.replace(/\D/g, '').length >= 3 ? undefined : 'must be a phone number';
  },
});
