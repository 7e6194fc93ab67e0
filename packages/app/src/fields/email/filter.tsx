export { text as email } from '../text/filter.tsx';
