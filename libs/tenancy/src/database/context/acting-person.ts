import { currentActor, currentJob, currentRequest } from '#kernel';

/** The acting person as the records of changes store it. */
export interface ActingPerson {
  /** Null for keys, the command line and background work. */
  readonly userId: string | null;
  /** Stored when there is no user. */
  readonly label: string;
}

/** Who changes data now and through what, as the record of changes stores it: ids, because names can be erased. */
export function changeMaker(): string {
  const request = currentRequest();
  const job = currentJob();
  return JSON.stringify({ ...makerOf(currentActor(), request !== undefined, job !== undefined), job, request: request?.requestId });
}

function makerOf(actor: ReturnType<typeof currentActor>, asked: boolean, works: boolean): object {
  if (actor?.kind === 'staff') return { kind: 'person', id: actor.userId, visit: actor.visitId };
  if (actor?.kind === 'key') return { kind: 'key', id: actor.keyId };
  if (actor?.kind === 'device') return { kind: 'device', id: actor.deviceId };
  return { kind: asked ? 'visitor' : works ? 'job' : 'command' };
}

/** The sender of the request, or the command line outside of requests. */
export function actingPerson(): ActingPerson {
  const actor = currentActor();
  return {
    userId: actor?.kind === 'staff' ? actor.userId : null,
    label: actor?.kind === 'key' ? `API key ${actor.keyId}` : 'command line',
  };
}
