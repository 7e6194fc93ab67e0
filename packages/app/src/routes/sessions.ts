export { default } from '../features/sessions/sessions-page.tsx';
