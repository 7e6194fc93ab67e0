export { text as long_text } from '../text/parse.ts';
