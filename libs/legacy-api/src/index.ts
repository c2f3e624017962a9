export { LegacyApiModule } from './legacy-api.module.js';
