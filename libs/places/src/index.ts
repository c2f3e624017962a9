export * from './places.module.js';
