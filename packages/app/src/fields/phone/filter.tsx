export { text as phone } from '../text/filter.tsx';
