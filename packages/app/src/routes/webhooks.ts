export { default } from '../features/webhooks/webhooks-page.tsx';
