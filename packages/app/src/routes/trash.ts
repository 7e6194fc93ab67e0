export { default } from '../features/trash/trash-page.tsx';
