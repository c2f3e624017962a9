export * from './pages.module.js';
