export { default } from '../features/search/search-page.tsx';
