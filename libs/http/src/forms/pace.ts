import { kernelProblem, type Problem } from '#kernel';

/** The answer is sent without waiting for the rest of the body; Node then closes the connection. */
export function tooSlow(seconds: number): Problem {
  return kernelProblem('body.too_slow', { parameters: { seconds }, headers: { Connection: 'close' } });
}
