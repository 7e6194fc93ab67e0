export { default } from '../features/webhooks/webhook-page.tsx';
