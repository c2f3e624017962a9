import { currentActor } from './request-context.js';

/** Who acts, for the columns `by_user_id` and `by_key_id`; two nulls for the buyer, online. */
export function actorColumns(): [userId: string | null, keyId: string | null] {
  const actor = currentActor();
  return [actor?.kind === 'staff' ? actor.userId : null, actor?.kind === 'key' ? actor.keyId : null];
}
