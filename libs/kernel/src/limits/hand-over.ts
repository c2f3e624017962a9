import type { WaitingClient } from '../context/request-context.js';
import type { FairLimit } from './fair-limit.js';

/**
 * Reads something under one limit and uses it under another. The first slot ends when the second one is taken, so that slow use does not
 * keep others from reading, and the second limit bounds the memory of what was read.
 * @param using.limit of what was read; undefined: its use needs no slot
 * @throws the errors of both limits, of `read` and of `use`
 */
export async function handOver<Data, Result>(
  reading: { readonly limit: FairLimit | undefined; readonly read: () => Promise<Data> },
  using: { readonly limit: FairLimit | ((data: Data) => FairLimit | undefined); readonly use: (data: Data) => Promise<Result> },
  client?: WaitingClient,
): Promise<Result> {
  const endReading = await reading.limit?.enter(client);
  let data: Data;
  let endUse: (() => void) | undefined;
  try {
    data = await reading.read();
    const limit = typeof using.limit === 'function' ? using.limit(data) : using.limit;
    endUse = await limit?.enter(client);
  } finally {
    endReading?.();
  }
  try {
    return await using.use(data);
  } finally {
    endUse?.();
  }
}
