/**
 * Runs commands of the command line one after the other in this process, as the parent asks: loading the program takes most of the time of
 * a command. Each message is {words, environment}, each answer {code, stdout, stderr}.
 */
import { run } from '../../dist/apps/cli/src/run.js';

const inherited = { ...process.env };
const written = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'])
  process[name].write = (text, ...rest) => {
    written[name] += String(text);
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };

async function answer({ words, environment }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, inherited, environment);
  process.exitCode = undefined;
  Object.assign(written, { stdout: '', stderr: '' });
  const code = await run(words);
  process.send({ code, ...written });
}

process.on('message', (asked) => void answer(asked));
process.on('disconnect', () => process.exit(0));
