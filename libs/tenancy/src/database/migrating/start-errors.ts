import { EmbeddedPostgresError } from '#embedded-postgres';
import { SettingsError } from '#kernel';
import { DatabaseStartError } from '../connections/database.js';
import { NewerSchemaError, UnfinishedRestoreError } from './migrator.js';

const startErrors = [SettingsError, DatabaseStartError, EmbeddedPostgresError, NewerSchemaError, UnfinishedRestoreError];

/** Whether a program cannot start for a reason that the error's message tells the operator in one line. */
export function isStartError(error: unknown): error is Error {
  return startErrors.some((kind) => error instanceof kind);
}
