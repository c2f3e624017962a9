/** The work took longer than its limit; it goes on, and nobody waits for it. */
export class TooSlowError extends Error {}

/** Waits for work for so many milliseconds at most. @throws TooSlowError */
export async function withinMilliseconds<Result>(limit: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlowError(`not done after ${limit} ms`)), limit);
  });
  // Nobody waits for its failure once it is too late.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
