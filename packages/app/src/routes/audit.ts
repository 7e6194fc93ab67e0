export { default } from '../features/audit/audit-page.tsx';
