import { text } from 'node:stream/consumers';
import { Refusal } from './failure.js';
import { say } from './output.js';

/**
 * The password from standard input, without its line end. Not an argument, because every user of the machine can see those.
 * @throws Refusal when nothing is sent
 */
export async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) say('Type the password, then Enter and Ctrl-D.');
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new Refusal('No password came on standard input.');
  return password;
}
