export { default } from '../features/notifications/notifications-page.tsx';
