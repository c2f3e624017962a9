import { databaseNow } from '#kernel';

/** Days before the end of a certificate from which staff are warned. */
const warningDays = 30;

/** @param expiresAt null: it does not end */
export function stateUntil(expiresAt: Date | null): 'on' | 'ending' | 'ended' {
  if (expiresAt === null) return 'on';
  const left = expiresAt.getTime() - databaseNow().getTime();
  return left <= 0 ? 'ended' : left < warningDays * 86_400_000 ? 'ending' : 'on';
}
