import { textual } from './plain.tsx';

export const text = textual((value) => ({ value }), {
  name: 'type.text',
  example: 'type.textExample',
  icon: 'M3 4.5v-1h10v1M8 3.500v9M6.200 12.500h3.600',
});
