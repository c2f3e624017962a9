import { currentRequest } from '#kernel';

/** The acting person as the records of changes store it. */
export interface ActingPerson {
  /** Null for keys, the command line and background work. */
  readonly userId: string | null;
  /** Stored when there is no user. */
  readonly label: string;
}

/** The sender of the request, or the command line outside of requests. */
export function actingPerson(): ActingPerson {
  const actor = currentRequest()?.actor;
  return {
    userId: actor?.kind === 'staff' ? actor.userId : null,
    label: actor?.kind === 'key' ? `API key ${actor.keyId}` : 'command line',
  };
}
