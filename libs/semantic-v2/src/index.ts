export * from './semantic-v2.module.js';
