import { kernelProblem, type Problem } from '#kernel';

/** Whether a sender is too slow. @param elapsedMs milliseconds since the form began */
export type PaceCheck = (bytes: number, elapsedMs: number) => boolean;

const checkEveryMs = 500;

/** Calls `late` once when `isLate` returns true. @returns a function that stops the checks */
export function watchPace(isLate: () => boolean, late: () => void): () => void {
  const timer = setInterval(() => {
    if (!isLate()) return;
    clearInterval(timer);
    late();
  }, checkEveryMs);
  return () => clearInterval(timer);
}

/** The answer is sent without waiting for the rest of the body; Node then closes the connection. */
export function tooSlow(seconds: number): Problem {
  return kernelProblem('body.too_slow', { parameters: { seconds }, headers: { Connection: 'close' } });
}
