import { readFileSync } from 'node:fs';

/** Settings that may also be given as `NAME_FILE`, the path of a file that contains the value (Docker and Kubernetes secrets). */
export const secretNames = ['DATABASE_URL', 'SMTP_URL', 'SERVER_SECRET', 'BACKUP_PASSPHRASE', 'METRICS_TOKEN'] as const;

/** The environment with the secrets that are in files. @param faults gets a sentence for each file that cannot be read */
export function withSecretFiles(environment: NodeJS.ProcessEnv, faults: string[]): NodeJS.ProcessEnv {
  const read = { ...environment };
  for (const name of secretNames) {
    const file = environment[`${name}_FILE`];
    if (!file) continue;
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch {
      faults.push(`${name}_FILE: the file cannot be read`);
    }
  }
  return read;
}
