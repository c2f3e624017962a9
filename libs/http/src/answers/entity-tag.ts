import { createHash, type Hash } from 'node:crypto';

/** The strong entity tag of an answer: equal in every process, and different whenever a member differs. */
export function entityTag(answer: object): string {
  return textTag(JSON.stringify(answer));
}

/** The strong entity tag of a text. */
export function textTag(text: string): string {
  return hashTag(createHash('sha256').update(text));
}

/** The strong entity tag of the data that a SHA-256 hash has received so far. */
export function hashTag(hash: Hash): string {
  return `"${hash.copy().digest('base64url').slice(0, 27)}"`;
}
