import pg from 'pg';
import { jest } from '@jest/globals';

type Query = (this: Connected, ...given: unknown[]) => unknown;

/** The part of pg's client that its types leave out. */
interface Connected {
  readonly connection: { readonly stream: Stream };
}

interface Stream {
  readonly writableCorked: number;
  uncork(): void;
}

/** The statements that one connection sends together. */
export interface RoundTrip {
  readonly client: unknown;
  /** They are a transaction by themselves (`TenantDb.atOnce`). */
  readonly isAtOnce: boolean;
  readonly texts: readonly string[];
}

/** Records the round trips of all connections while some work runs: what a connection sends with one system call. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<RoundTrip[]> {
  const trips: RoundTrip[] = [];
  const open = new Map<unknown, string[]>();
  const watched = new Map<Stream, () => void>();
  const real = pg.Client.prototype.query as unknown as Query;
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function record(this: unknown, ...given: unknown[]) {
    const client = this as Connected;
    const { stream } = client.connection;
    const [statement] = given as [string | { readonly text: string; readonly texts?: readonly string[] }];
    let texts = open.get(client);
    if (!texts) {
      texts = [];
      trips.push({ client, texts, isAtOnce: typeof statement !== 'string' && statement.texts !== undefined });
      // Without a cork, each statement leaves by itself.
      if (stream.writableCorked > 0) open.set(client, texts);
    }
    if (!watched.has(stream)) {
      const uncork = stream.uncork.bind(stream);
      watched.set(stream, () => Reflect.deleteProperty(stream, 'uncork'));
      stream.uncork = () => {
        uncork();
        if (stream.writableCorked === 0) open.delete(client);
      };
    }
    texts.push(...(typeof statement === 'string' ? [statement] : (statement.texts ?? [statement.text])));
    return real.apply(client, given);
  });
  try {
    await work();
    return trips;
  } finally {
    spy.mockRestore();
    for (const leave of watched.values()) leave();
  }
}

/**
 * The statements of the first transaction that sends a text with `mark`, from `begin` to `commit`, by round trip. Statements that are one
 * transaction by themselves have neither.
 */
export async function tripsOfTransaction(mark: string, work: () => Promise<unknown>): Promise<(readonly string[])[]> {
  const trips = await roundTripsOf(work);
  const marked = trips.find(({ texts }) => texts.some((text) => text.includes(mark)));
  const own = trips.filter(({ client }) => client === marked?.client);
  const at = own.indexOf(marked as RoundTrip);
  if (marked?.isAtOnce) return [marked.texts];
  const begin = own.findLastIndex(({ texts }, index) => index <= at && texts[0] === 'begin');
  const end = own.findIndex(({ texts }, index) => index >= at && texts.at(-1) === 'commit');
  return own.slice(begin, end + 1).map(({ texts }) => texts);
}
