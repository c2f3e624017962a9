import { isDeepStrictEqual } from 'node:util';
import { currentLanguage, isNothing, kernelProblem, type Text } from '#kernel';
import { texts } from '../locales/semantic-v2.texts.js';

const sentence: Text = texts.localized('answeredMembers.notChangeable');

/** Describes a member that cannot be changed. */
export const asAnswered = 'Accepted as it was answered; it cannot be changed.';

/**
 * Lets clients send back what they read: read-only members are accepted when unchanged, otherwise refused.
 * @param names the read-only members
 * @param pointer JSON pointer of the object in the body
 * @throws Problem 400 `body.invalid`
 */
export function refuseOtherThanAnswered(body: object, answer: object, names: readonly string[], pointer = ''): void {
  const errors = otherThanAnswered(body, answer, names).map((name) => ({
    pointer: `${pointer}/${name}`,
    code: 'asAnswered',
    detail: sentence[currentLanguage()],
  }));
  if (errors.length > 0) throw kernelProblem('body.invalid', { errors });
}

/** The names of members that are sent and differ from the answered ones. */
export function otherThanAnswered(body: object, answer: object, names: readonly string[]): string[] {
  const [sent, answered] = [body as Record<string, unknown>, answer as Record<string, unknown>];
  return names.filter((name) => !isNothing(sent[name]) && !isDeepStrictEqual(plain(sent[name]), plain(answered[name])));
}

/** Without the classes of a validated body. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
