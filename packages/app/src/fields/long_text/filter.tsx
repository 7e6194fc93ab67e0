export { text as long_text } from '../text/filter.tsx';
