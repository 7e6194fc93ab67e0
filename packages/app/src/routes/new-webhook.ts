export { default } from '../features/webhooks/new-webhook-page.tsx';
