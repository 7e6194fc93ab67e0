export { default } from '../features/sign-in-methods/sign-in-methods-page.tsx';
