import { text } from 'node:stream/consumers';
import { Refusal } from './failure.js';
import { say } from './output.js';

/**
 * The password on standard input, without its line end: an argument would be seen by every user of the machine.
 * @throws Refusal when nothing comes
 */
export async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) say('Type the password, then Enter and Ctrl-D.');
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new Refusal('No password came on standard input.');
  return password;
}
