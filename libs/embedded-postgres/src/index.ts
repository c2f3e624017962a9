export { openEmbeddedPostgres, EmbeddedPostgresError, type Supervision } from './embedded-postgres.js';
