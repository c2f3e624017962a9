import { currentRequest } from '#kernel';

/** Who acts, as the records of changes keep it. */
export interface ActingPerson {
  /** Null for keys, the command line and background work. */
  readonly userId: string | null;
  /** What is written where there is no user. */
  readonly label: string;
}

/** Whoever sent the request, or the command line outside of one. */
export function actingPerson(): ActingPerson {
  const actor = currentRequest()?.actor;
  return {
    userId: actor?.kind === 'staff' ? actor.userId : null,
    label: actor?.kind === 'key' ? `API key ${actor.keyId}` : 'command line',
  };
}
