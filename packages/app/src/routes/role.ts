export { default } from '../features/roles/role-page.tsx';
