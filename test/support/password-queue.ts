import { passwordPlaces } from '../../libs/tenancy/src/passwords/password-queue.js';
import { withPasswordPlace } from '../../libs/tenancy/src/passwords/passwords.js';

/** Takes every place that a network has in the password queue of this process. */
export function fillPasswordQueue(client: string): { end: () => Promise<void> } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const places = Array.from({ length: passwordPlaces.network.each }, () => withPasswordPlace({ kind: 'network', client }, () => ended));
  return {
    end: async () => {
      end();
      await Promise.all(places);
    },
  };
}
