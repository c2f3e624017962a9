import { createHash } from 'node:crypto';

/** What is stored of the id of a panel session. */
export function sessionKey(sid: string): Buffer {
  return createHash('sha256').update(sid).digest();
}
