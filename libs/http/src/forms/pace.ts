import { kernelProblem, type Problem } from '#kernel';

/** Whether a sender is too slow. @param elapsedMs milliseconds since its form was begun */
export type PaceCheck = (bytes: number, elapsedMs: number) => boolean;

const checkEveryMs = 500;

/** Calls `late` once when `isLate`. @returns ends the watch */
export function watchPace(isLate: () => boolean, late: () => void): () => void {
  const timer = setInterval(() => {
    if (!isLate()) return;
    clearInterval(timer);
    late();
  }, checkEveryMs);
  return () => clearInterval(timer);
}

/** The rest of the body is not waited for: Node closes the connection behind the answer. */
export function tooSlow(seconds: number): Problem {
  return kernelProblem('body.too_slow', { parameters: { seconds }, headers: { Connection: 'close' } });
}
