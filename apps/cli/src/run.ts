import 'reflect-metadata';
import { Command, CommanderError, Help } from 'commander';
import { nouns } from './nouns.js';
import { programVersion } from './version.js';

const exitCodes = `
Exit codes:
  0  done
  1  refused or failed, with one line on standard error
  2  wrong usage
  Stopped by a signal: 128 and its number (130 after Ctrl-C).

Results go to standard output, progress and hints to standard error. With --json the result is one JSON document.`;

const standardHelp = new Help();

/** Runs one command. @returns the exit code */
export async function run(words: readonly string[]): Promise<number> {
  const program = new Command('guichet')
    .usage('<noun> [verb] [options]')
    .description(
      'Operates a Guichet installation, beside a running server or without one.\n' +
        'The settings are those of the server: the same environment variables.',
    )
    .version(programVersion(), '--version', 'print the version')
    .exitOverride()
    .configureHelp({
      optionDescription: (option) => standardHelp.optionDescription(option) + (option.mandatory ? ' (required)' : ''),
    })
    .configureOutput({ outputError: (text, write) => write(`guichet: ${text.replace(/^error: /, '')}`) })
    .showHelpAfterError('(add --help to the command for its options)')
    .addHelpText('afterAll', exitCodes);
  for (const [name, noun] of Object.entries(nouns)) {
    const command = program.command(name).description(noun.summary);
    // Nest and TypeORM take most of a second to load; the list of nouns does not need them.
    if (words.includes(name)) (await noun.load())(command);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has written its message. The exit code of requested help and version is 0; that of help after wrong usage is 1.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { describeFailure } = await import('./terminal/failure.js');
    const { lines, exitCode } = describeFailure(error);
    process.stderr.write(`${lines.join('\n')}\n`);
    return exitCode;
  }
}
