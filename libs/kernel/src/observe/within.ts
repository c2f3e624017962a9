/** The work exceeded its time limit; it continues, but its result is ignored. */
export class TooSlowError extends Error {}

/** Waits for work, at most `limit` milliseconds. @throws TooSlowError */
export async function withinMilliseconds<Result>(limit: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlowError(`not done after ${limit} ms`)), limit);
  });
  // A later rejection must not be unhandled.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
