export { default } from '../features/roles/roles-page.tsx';
