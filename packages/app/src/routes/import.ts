export { default } from '../features/imports/import-page.tsx';
