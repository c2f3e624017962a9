import { createHash, type Hash } from 'node:crypto';

/** The strong entity tag of an answer: the same in every process, and another one as soon as any member is another. */
export function entityTag(answer: object): string {
  return textTag(JSON.stringify(answer));
}

/** The strong entity tag of a text. */
export function textTag(text: string): string {
  return hashTag(createHash('sha256').update(text));
}

/** The strong entity tag of what a SHA-256 was fed with so far. */
export function hashTag(hash: Hash): string {
  return `"${hash.copy().digest('base64url').slice(0, 27)}"`;
}
