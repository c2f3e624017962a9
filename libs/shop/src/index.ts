export * from './shop.module.js';
