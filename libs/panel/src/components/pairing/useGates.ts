import { useEffect, useState } from 'react';
import { ApiClient } from 'adminjs';

const api = new ApiClient();

interface Gate {
  readonly id: string;
  readonly name: string;
  readonly eventId: string | null;
}

/** The gates that a form offers: those of the place and of the chosen event; null while they load. */
export function useGates(eventId: unknown): Gate[] | null {
  const [gates, setGates] = useState<Gate[] | null>(null);
  useEffect(() => {
    let stale = false;
    api
      .searchRecords({ resourceId: 'gates', query: '' })
      .then(
        (records) => stale || setGates(records.map(({ id, title, params }) => ({ id, name: title, eventId: params['eventId'] ?? null }))),
      )
      .catch(() => stale || setGates([]));
    return () => {
      stale = true;
    };
  }, []);
  return gates && gates.filter((gate) => gate.eventId === null || gate.eventId === eventId);
}
