export { default } from '../features/auth/choose-workspace-page.tsx';
