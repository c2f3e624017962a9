import type { Place } from './place.js';
import { run } from './programs.js';

/**
 * Ends server processes that outlived their postmaster: a process in a long computation notices late that the postmaster is gone, and
 * PostgreSQL does not start beside it. Call it only when no postmaster runs on this data. Linux only: elsewhere they end without help.
 * @param signal `QUIT` asks a process to end at once, `KILL` ends one that does not react; their transactions are not committed either
 * way
 */
export async function endOrphans(place: Place, signal: 'QUIT' | 'KILL'): Promise<void> {
  if (process.platform !== 'linux') return;
  // The working directory of all server processes is the data folder. Read as their own user, because root in a container may not be
  // allowed to.
  const script = `for process in /proc/[0-9]*; do
    [ "$process/cwd" -ef "$0" ] || continue
    case "$(readlink "$process/exe")" in */postgres | */postgres\\ \\(deleted\\)) kill -s "$1" "\${process#/proc/}" ;; esac
  done`;
  await run('/bin/sh', ['-c', script, place.cluster, signal], place.account);
}
