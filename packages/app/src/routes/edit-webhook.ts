export { default } from '../features/webhooks/edit-webhook-page.tsx';
