import { textual } from './plain.tsx';

export const phone = textual((typed) => ({ value: typed.trim() }), {
  name: 'type.phone',
  example: 'type.phoneExample',
  icon: 'M4 2.500h2l1.200 3-1.600 1.100a7.500 7.500 0 0 0 3.800 3.800l1.100-1.600 3 1.200v2c0 .8-.7 1.500-1.500 1.500A9.500 9.500 0 0 1 2.500 4c0-.8.7-1.500 1.500-1.500z',
  width: 150,
  firstOn: { linked: 6 },
  input: { type: 'tel', inputMode: 'tel' },
});
