export { openEmbeddedPostgres, EmbeddedPostgresError, type Supervision } from './embedded-postgres.js';
export { findAccount } from './place.js';
